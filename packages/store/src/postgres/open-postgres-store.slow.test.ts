import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { Client } from "pg";
import { silentLogger } from "@rad/core";
import { until } from "@rad/core/testing";
import type { Store, StoreEvent } from "../store.ts";
import { accept, containerId, containerType, input, put } from "../testing/contract/fixture.ts";
import { newKey, oldKey } from "../testing/contract/keys.ts";
import { startPostgres } from "../testing/start-postgres.ts";
import type { PostgresServer } from "../testing/start-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

const log = silentLogger;
const keys = { keys: [oldKey] };
const workDocument = { kind: "document", type: containerType.toLowerCase() };

function connect(url: string): Promise<Store> {
  return openPostgresStore({ url, keys, log });
}

it("migrates once when several processes start at once", async () => {
  const url = await server.createDatabase();

  const stores = await Promise.all(Array.from({ length: 4 }, () => connect(url)));

  await Promise.all(stores.map((store, n) => put(store, input(containerId(`n${n}`)))));
  assert.equal((await stores[0]?.list({ under: "/" }))?.items.length, 4);
  await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
});

it("refuses a schema that is newer than it knows", async () => {
  const url = await server.createDatabase();
  await (await connect(url))[Symbol.asyncDispose]();
  await query(url, "UPDATE schema_version SET version = 999");

  await assert.rejects(connect(url), { code: "CannotOpen" });
});

it("writes nothing when the second process has another key of the same name", async () => {
  const url = await server.createDatabase();
  await using _store = await connect(url);
  const impostor = { keys: [{ id: oldKey.id, secret: newKey.secret }] };

  await assert.rejects(openPostgresStore({ url, keys: impostor, log }), { code: "CannotOpen" });

  assert.equal((await query(url, "SELECT 1 FROM key_checks")).length, 1);
});

it("says what is wrong with a URL, a password or a database, without showing the password", async () => {
  const url = new URL(await server.createDatabase());
  const wrong = [
    "canary",
    "https://u:canary@h/d",
    withPart(url, "password", "canary"),
    withPart(url, "pathname", "/none"),
  ];
  for (const text of wrong) {
    await assert.rejects(connect(text), (error: Error & { code: string }) => {
      assert.equal(error.code, "CannotOpen", error.message);
      return !error.message.includes("canary") && !error.message.includes(url.password);
    });
  }
});

it("tells other processes what was written, and itself once", async () => {
  const url = await server.createDatabase();
  await using one = await connect(url);
  await using two = await connect(url);
  const heardByOne = listen(one);
  const heardByTwo = listen(two);

  await put(one, input(containerId("web")));
  const id = await accept(one);
  await one.operations.requestCancel(id, "stop");
  await until("the second has heard of all", () => heardByTwo.length === 4);

  const work = { kind: "work", queue: "default" };
  assert.deepEqual(heardByTwo, [workDocument, work, { kind: "cancel", operationId: id }, work]);
  assert.deepEqual(heardByOne, heardByTwo);
});

it("never leases two of a queue of concurrency 1, however many processes take", async () => {
  const url = await server.createDatabase();
  await using one = await connect(url);
  await using two = await connect(url);
  await Promise.all(Array.from({ length: 10 }, () => accept(one)));
  const queues = [{ name: "default", concurrency: 1 }];
  let finished = 0;
  while (finished < 10) {
    const takes = [one, two, one, two].map((store, n) =>
      store.operations.take({ owner: `w${n}`, leaseMs: 60_000, queues }),
    );
    const leased = (await Promise.all(takes)).filter((item) => item !== undefined);
    assert.equal(leased.length, 1);
    for (const { lease } of leased) {
      await two.write({ lease, outcome: { state: "Succeeded" } });
      finished += 1;
    }
  }
});

it("shares the work of a queue between processes, each operation once", async () => {
  const url = await server.createDatabase();
  await using one = await connect(url);
  await using two = await connect(url);
  const ids = await Promise.all(Array.from({ length: 20 }, () => accept(one)));
  const done: string[] = [];
  const work = async (store: Store, owner: string): Promise<void> => {
    for (;;) {
      const leased = await store.operations.take({ owner, leaseMs: 60_000, queues: [{ name: "default" }] });
      if (leased === undefined) {
        return;
      }
      done.push(leased.operation.id);
      await store.write({ lease: leased.lease, outcome: { state: "Succeeded" } });
    }
  };

  await Promise.all([work(one, "a"), work(one, "b"), work(two, "c"), work(two, "d")]);

  assert.deepEqual(done.sort(), ids.sort());
});

it("is unavailable while PostgreSQL is down, loses nothing, recovers, and then tells listeners to look again", async () => {
  await using own = await startPostgres();
  const url = await own.createDatabase();
  await using store = await connect(url);
  await put(store, input(containerId("web"), { n: 1 }));
  await store.operations.take({ owner: "w", leaseMs: 1_000, queues: [{ name: "default" }] });
  const heard = listen(store);

  await own.stop();
  await assert.rejects(store.ping(), { code: "Unavailable" });
  await assert.rejects(put(store, input(containerId("web"), { n: 2 })), { code: "Unavailable" });
  await assert.rejects(store.operations.take({ owner: "w", leaseMs: 1, queues: [{ name: "default" }] }), {
    code: "Unavailable",
  });
  await assert.rejects(connect(url), { code: "Unavailable" });
  await own.start();

  await until("it was told to look at everything", () =>
    heard.some((event) => event.kind === "document" && event.type === "*"),
  );
  assert.ok(heard.some((event) => event.kind === "work" && event.queue === "default"));
  await store.ping();
  assert.deepEqual((await store.get(containerId("web")))?.body, { n: 1 });
  await put(store, input(containerId("web"), { n: 3 }));
});

it("keeps every write it acknowledged when PostgreSQL crashes under load", async () => {
  await using own = await startPostgres();
  const url = await own.createDatabase();
  await using store = await connect(url);
  const acknowledged: string[] = [];
  let failed = 0;
  const writer = async (prefix: string): Promise<void> => {
    for (let n = 0; failed === 0; n += 1) {
      const id = containerId(`${prefix}${n}`);
      try {
        await put(store, input(id));
        acknowledged.push(id);
      } catch (error) {
        assert.equal((error as { code?: string }).code, "Unavailable");
        failed += 1;
      }
    }
  };
  const writers = Promise.all(["a", "b", "c", "d"].map(writer));
  await until("writes arrive", () => acknowledged.length > 50);

  await own.restart();
  await writers;

  for (const id of acknowledged) {
    assert.ok(await store.get(id), id);
  }
});

it("reports a database that refuses writes", async () => {
  const url = await server.createDatabase();
  await using store = await connect(url);
  await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
  await using readOnly = await connect(url);

  await assert.rejects(put(readOnly, input(containerId("web"))), { code: "NotWritable" });
  await put(store, input(containerId("web")));
});

function withPart(url: URL, part: "password" | "pathname", value: string): string {
  const changed = new URL(url);
  changed[part] = value;
  return changed.href;
}

function listen(store: Store): StoreEvent[] {
  const heard: StoreEvent[] = [];
  store.subscribe((event) => heard.push(event));
  return heard;
}

async function query(url: string, text: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
