// What PostgreSQL, and the network before it, can do to a server under load. Every request gets a right answer, nothing
// acknowledged is lost, nothing is written twice. `faults/traffic.ts` holds the server to it.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { until } from "@rad/core/testing";
import { CountingProxy, startPostgres } from "@rad/store/testing";
import type { Cut, PostgresServer } from "@rad/store/testing";
import { prepareTraffic, syncResource, Traffic } from "./faults/traffic.ts";
import { request } from "./support/api.ts";
import type { Server } from "./support/api.ts";
import { survivingKills } from "./support/crashing-server.ts";
import { openDatabaseOf } from "./support/database.ts";
import type { ServerProcess } from "./support/server-process.ts";

const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);
const maxConnections = 40;
let loads = 0;

/** A server that reaches its database through a proxy. */
interface Scene extends AsyncDisposable {
  /** Of the database, past the proxy. */
  readonly url: string;
  readonly proxy: CountingProxy;
  readonly server: ServerProcess;
}

const opened = new AsyncDisposableStack();
let postgres: PostgresServer;
let shared: Scene;
before(async () => {
  postgres = opened.use(await startPostgres({ settings: { max_connections: maxConnections } }));
  shared = opened.use(await openScene());
});
after(() => opened.disposeAsync());

/** @param settings of the database, for every session that does not say otherwise */
async function openScene(settings: Readonly<Record<string, string>> = {}): Promise<Scene> {
  await using parts = new AsyncDisposableStack();
  const url = await postgres.createDatabase();
  const session = parts.use(await openSession(url));
  for (const [name, value] of Object.entries(settings)) {
    await session.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${name} = '${value}'`);
  }
  const proxy = parts.use(await CountingProxy.start(url));
  const database = parts.use(await openDatabaseOf(postgres, proxy.url));
  const server = parts.use(await database.startServer(survivingKills));
  await prepareTraffic(server);
  const kept = parts.move();
  return { url, proxy, server, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Runs the fault under load, and lets the load go on for a while. */
async function underLoad(t: TestContext, scene: Scene, fault: (traffic: Traffic) => Promise<void>): Promise<void> {
  t.diagnostic(`RAD_CRASH_SEED=${seed}`);
  const { server } = scene;
  loads += 1;
  await using traffic = new Traffic({ server: () => server, name: `load${loads}`, seed });
  await traffic.goesOn(20);
  await fault(traffic);
  await until("the server is ready", async () => (await fetch(`${server.url}/readyz`)).status === 200);
  await traffic.goesOn(80); // each caller has had an answer to a request from after the fault
  const { unavailable } = traffic;
  await traffic.goesOn(40);
  assert.equal(traffic.unavailable, unavailable, "requests are refused although the database is there");
  await traffic.verify(server);
  t.diagnostic(`${traffic.acknowledged} changes acknowledged, ${traffic.unavailable} requests refused`);
}

const cuts: readonly Cut[] = [
  { at: "request" },
  { at: "answer", bytes: 0 },
  { at: "answer", bytes: 20 },
  { at: "end" },
];
for (const cut of cuts) {
  it(`connections are cut at ${JSON.stringify(cut)}`, async (t) => {
    const times = 20;
    await underLoad(t, shared, async (traffic) => {
      const { proxy } = shared;
      for (let time = 0; time < times; time += 1) {
        await Promise.all([proxy.cut(cut), traffic.goesOn(5)]);
      }
      // Only requests whose writes shared the transaction of the lost connection may fail.
      assert.ok(traffic.unavailable <= times * 16, `${traffic.unavailable} requests were refused`);
    });
  });
}

it("answers of the database are late, and new connections are refused for a while", async (t) => {
  await underLoad(t, shared, async (traffic) => {
    const { proxy } = shared;
    proxy.delayMs = 25;
    await traffic.goesOn(60);
    proxy.delayMs = 0;
    assert.equal(traffic.unavailable, 0, "a slow database is one that is there");

    proxy.isRefusing = true;
    proxy.cutAll();
    await traffic.isRefused(20);
    proxy.isRefusing = false;
  });
});

it("PostgreSQL is restarted", async (t) => {
  await underLoad(t, shared, async (traffic) => {
    await postgres.restart();
    await traffic.goesOn(40);
    await postgres.restart();
  });
});

it("others take all connections that PostgreSQL has", async (t) => {
  await underLoad(t, shared, async (traffic) => {
    const { url, proxy } = shared;
    const others = new AsyncDisposableStack();
    proxy.isRefusing = true;
    proxy.cutAll();
    await assert.rejects(
      async () => {
        for (;;) {
          others.use(await openSession(url));
        }
      },
      { code: "53300" },
    );
    proxy.isRefusing = false;
    await traffic.isRefused(32);
    await others.disposeAsync();
  });
});

it("another session locks one resource: its callers wait, all others go on", async (t) => {
  await underLoad(t, shared, async (traffic) => {
    const { url, server } = shared;
    const resource = await createResource(server, "locked");
    await using session = await openSession(url);
    await lockRow(session, resource);
    let answered = 0;
    const late = [2, 3, 4].map(async (version) => {
      const { status } = await request(server, "PUT", resource, bodyOf(version));
      answered += 1;
      return status;
    });

    await traffic.goesOn(60);

    assert.equal(answered, 0, "a locked resource was changed");
    await session.query("COMMIT");
    assertOnlyConflicts(await Promise.all(late));
    assert.equal(traffic.unavailable, 0);
  });
});

it("another session locks one resource, and PostgreSQL does not wait for locks", async (t) => {
  await using scene = await openScene({ lock_timeout: "1s" });
  await underLoad(t, scene, async (traffic) => {
    const { url, server } = scene;
    const resource = await createResource(server, "locked");
    await using session = await openSession(url);
    await lockRow(session, resource);

    const { status } = await request(server, "PUT", resource, bodyOf(2));
    await traffic.goesOn(40);

    assert.equal(status, 503);
    await session.query("COMMIT");
    assert.equal((await request(server, "PUT", resource, bodyOf(3))).status, 200);
    // Callers may wait for each other that long on a busy machine, at most for what all of them share.
    assert.ok(traffic.unavailable <= 16, `${traffic.unavailable} requests were refused`);
  });
});

it("another session locks all resources for a while", async (t) => {
  await underLoad(t, shared, async (traffic) => {
    await using session = await openSession(shared.url);
    await session.query("BEGIN");
    await session.query("LOCK TABLE documents IN EXCLUSIVE MODE");
    await sleep(500); // everybody has something to write by then
    await session.query("COMMIT");

    await traffic.goesOn(40);

    assert.equal(traffic.unavailable, 0, "a lock that ends is no reason to refuse");
  });
});

it("another session and a PUT wait for each other", async (t) => {
  await underLoad(t, shared, async (traffic) => {
    const { url, server } = shared;
    const resource = await createResource(server, "crossed");
    await using session = await openSession(url);
    await lockRow(session, resource.split("/providers/")[0] ?? "");
    const answer = request(server, "PUT", resource, bodyOf(2)); // has the resource, and waits for its group
    await sleep(300);
    await lockRow(session, resource).catch((error: unknown) => {
      assert.equal((error as { code?: string }).code, "40P01"); // either of the two is the victim
    });
    await session.query("ROLLBACK");

    assert.equal((await answer).status, 200);
    assert.equal(traffic.unavailable, 0, "a deadlock is no reason to refuse");
    const { rows } = await session.query("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    t.diagnostic(`deadlocks: ${JSON.stringify(rows)}`);
  });
});

for (const level of ["repeatable read", "serializable"]) {
  it(`transactions are ${level} unless they say otherwise`, async (t) => {
    await using scene = await openScene({ default_transaction_isolation: level });
    const { server } = scene;
    await underLoad(t, scene, async (traffic) => {
      const resource = await createResource(server, "shared");
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        const statuses: number[] = [];
        for (let round = 0; round < 10; round += 1) {
          statuses.push((await request(server, "PUT", resource, bodyOf(10 * writer + round))).status);
        }
        return statuses;
      });

      assertOnlyConflicts((await Promise.all(writers)).flat());
      assert.equal(traffic.unavailable, 0, "a conflict of transactions is no reason to refuse");
    });
  });
}

/** Of PUTs of one resource at the same time, some succeed; the others may be told that they did not see each other. */
function assertOnlyConflicts(statuses: readonly number[]): void {
  assert.ok(statuses.includes(200), statuses.join());
  assert.deepEqual(
    statuses.filter((status) => status !== 200 && status !== 409),
    [],
  );
}

const bodyOf = (version: number) => ({ location: "global", properties: { version } });

async function createResource(server: Server, name: string): Promise<string> {
  const resource = syncResource(name);
  assert.equal((await request(server, "PUT", resource, bodyOf(1))).status, 200);
  return resource;
}

/** Locks the row until the session's transaction ends, as a careless administrator would. */
async function lockRow(session: Client, id: string): Promise<void> {
  await session.query("BEGIN");
  const { rowCount } = await session.query("SELECT 1 FROM documents WHERE key = $1 FOR UPDATE", [id.toLowerCase()]);
  assert.equal(rowCount, 1, id);
}

async function openSession(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {}); // a restart cuts it off
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
