// What a request costs in round trips to PostgreSQL and in statements: counted by a proxy, not timed.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@rad/core";
import { CountingProxy, startPostgres } from "@rad/store/testing";
import type { WireCounts } from "@rad/store/testing";
import { until } from "@rad/core/testing";
import { clientOf, group, registerType, request } from "./support/api.ts";
import { openDatabaseOf } from "./support/database.ts";
import { steeredType } from "./support/handlers.ts";
import type { ServerProcess } from "./support/server-process.ts";

const repetitions = 20;
const warmUps = 5;
const syncType = "Radius.Core/settings";
/** Nothing is behind it: its operation only ends. */
const plainType = "Test.Plain/things";
/** Has no recipe. */
const environment = `${group}/providers/Applications.Core/environments/test`;
/** Nothing is under way when the proxy has seen nothing for so long. */
const quietMs = 60;

const opened = new AsyncDisposableStack();
let proxy: CountingProxy;
let server: ServerProcess;
/** Round trips per millisecond of a server that nobody asks anything: polls and upkeep. */
let idleRate: number;
/** How many resources have a name of their own. */
let made = 0;

before(async () => {
  const postgres = opened.use(await startPostgres());
  proxy = opened.use(await CountingProxy.start(await postgres.createDatabase()));
  const database = opened.use(await openDatabaseOf(postgres, proxy.url));
  server = opened.use(await database.startServer({ operations: { leaseSeconds: 600 } })); // so that upkeep is rare
  await clientOf(server).groups.put("test");
  for (const type of [syncType, plainType, steeredType]) {
    await registerType(server, type, { version: { type: "integer" }, environment: { type: "string" } });
  }
  const compute = { kind: "kubernetes", resourceId: "self", namespace: "test" };
  const body = { location: "global", properties: { compute } };
  const created = await request(server, "PUT", environment, body, undefined, "2023-10-01-preview");
  assert.equal(created.status, 200, JSON.stringify(created.body));
  await sleep(1_000); // what the types have set off is over
  const [started, before] = [performance.now(), counted("roundTrips")];
  await sleep(4_000);
  idleRate = (counted("roundTrips") - before) / (performance.now() - started);
});
after(() => opened.disposeAsync());

interface Case {
  readonly method: "PUT" | "GET" | "DELETE";
  readonly type: string;
  /** Whether every request names another resource. */
  readonly isFresh: boolean;
  readonly status: number;
  readonly properties?: JsonObject;
  /** Round trips, at most; only reported when absent. */
  readonly atMost?: number;
}

const cases: Readonly<Record<string, Case>> = {
  "a synchronous PUT that creates": { method: "PUT", type: syncType, isFresh: true, status: 200, atMost: 1 },
  "a synchronous PUT that changes": { method: "PUT", type: syncType, isFresh: false, status: 200, atMost: 1 },
  "a GET": { method: "GET", type: syncType, isFresh: false, status: 200, atMost: 1 },
  "a synchronous DELETE": { method: "DELETE", type: syncType, isFresh: true, status: 200 },
  "an asynchronous PUT, to its end": { method: "PUT", type: plainType, isFresh: true, status: 201, atMost: 4 },
  "an asynchronous PUT in an environment, to its end": {
    method: "PUT",
    type: plainType,
    isFresh: true,
    status: 201,
    properties: { environment },
    atMost: 6,
  },
  "an asynchronous DELETE, to its end": { method: "DELETE", type: plainType, isFresh: true, status: 202 },
  "an asynchronous PUT with a step, to its end": { method: "PUT", type: steeredType, isFresh: true, status: 201 },
};

for (const [name, { method, type, isFresh, status, properties = {}, atMost = Infinity }] of Object.entries(cases)) {
  it(`${name} costs ${atMost === Infinity ? "round trips" : `at most ${atMost} round trips`}`, async (t) => {
    const roundTrips: number[] = [];
    let statements = 0;
    let countedMs = 0;
    for (let index = 0; roundTrips.length < warmUps + repetitions; index += 1) {
      assert.ok(index < 3 * repetitions, "operations take too long to be counted one by one");
      const resource = `${group}/providers/${type}/${isFresh ? `item${(made += 1)}` : "item"}`;
      const body = { location: "global", properties: { ...properties, version: index } };
      if (method === "DELETE") {
        await request(server, "PUT", resource, body);
        await hadEnded(resource);
      }
      const started = performance.now();
      const before = { roundTrips: counted("roundTrips"), statements: counted("statements") };

      const answer = await request(server, method, resource, method === "PUT" ? body : undefined);
      await quiet();

      assert.equal(answer.status, status, JSON.stringify(answer.body));
      const after = { roundTrips: counted("roundTrips"), statements: counted("statements") };
      if (answer.operationId === undefined || (await hadEnded(resource))) {
        roundTrips.push(after.roundTrips - before.roundTrips);
        countedMs += performance.now() - started;
        statements += after.statements - before.statements;
      }
    }

    // Polls hit some of the requests. They leave the median alone, and are taken out of the mean.
    const measured = roundTrips.slice(warmUps);
    const median = measured.toSorted((a, b) => a - b)[repetitions / 2] ?? 0;
    const idle = (idleRate * countedMs) / roundTrips.length;
    const mean = measured.reduce((sum, count) => sum + count, 0) / repetitions - idle;
    t.diagnostic(
      `${median} round trips, ${mean.toFixed(2)} on average besides ${idle.toFixed(2)} of an idle server; ` +
        `${(statements / roundTrips.length).toFixed(1)} statements`,
    );
    assert.ok(median <= atMost, `${median} round trips`);
    assert.ok(mean < atMost + 0.5, `${mean} round trips on average`);
  });
}

/** Of connections that listen only the heartbeat counts, which no request causes. */
function counted(what: keyof WireCounts): number {
  return proxy.connections
    .filter(({ isListening }) => !isListening)
    .reduce((sum, connection) => sum + connection[what], 0);
}

async function quiet(): Promise<void> {
  let seen: number;
  do {
    seen = counted("roundTrips");
    await sleep(quietMs);
  } while (seen !== counted("roundTrips"));
}

/** Waits for the end of the operation. @returns whether there was nothing to wait for */
async function hadEnded(resource: string): Promise<boolean> {
  let looks = 0;
  await until(`${resource} has succeeded or is gone`, async () => {
    looks += 1;
    const { status, body } = await request(server, "GET", resource);
    const { properties } = body as unknown as { properties?: { provisioningState: string } };
    return status === 404 || properties?.provisioningState === "Succeeded";
  });
  return looks === 1;
}
