import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { silentLogger } from "@rad/core";
import { until } from "@rad/core/testing";
import type { AuditRecord, Store, StoreEvent } from "../store.ts";
import { accept, containerId, input, put } from "../testing/contract/fixture.ts";
import { oldKey } from "../testing/contract/keys.ts";
import { CountingProxy } from "../testing/counting-proxy.ts";
import { connectPostgres } from "../testing/connect-postgres.ts";
import { startPostgres } from "../testing/start-postgres.ts";
import type { PostgresServer } from "../testing/start-postgres.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { auditLock } from "./audit-functions.ts";

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

/** A session of somebody else. */
async function session(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

it("shares transactions between writes, and a refused one does not fail its neighbours", async () => {
  await using proxy = await CountingProxy.start(await server.createDatabase());
  await using store = await connectPostgres(proxy.url);
  await put(store, input(containerId("there")));
  const earlier = proxy.total.roundTrips;

  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) =>
      store.write({
        document: { kind: "put", input: input(containerId(n % 10 === 9 ? "there" : `n${n}`)), expect: "absent" },
      }),
    ),
  );

  const trips = proxy.total.roundTrips - earlier;
  const refused = results.filter((result) => result.status === "rejected");
  assert.equal(refused.length, 20);
  assert.ok(refused.every(({ reason }) => (reason as { code?: string }).code === "EtagMismatch"));
  assert.equal((await store.list({ under: "/" })).items.length, 181);
  assert.ok(trips <= 10, `${trips} round trips`);
});

it("divides those that come while one is on its way, so that two groups take turns", async () => {
  const url = await server.createDatabase();
  await using store = await connectPostgres(url);
  await using other = await session(url);

  const writes = Array.from({ length: 9 }, (_, n) => put(store, input(containerId(`n${n}`)), "absent"));
  await Promise.all(writes);

  const { rows } = await other.query("SELECT count(*)::integer AS size FROM documents GROUP BY xmin::text ORDER BY 1");
  assert.deepEqual(
    rows.map(({ size }: { size: number }) => size),
    [1, 3, 5],
  );
});

it("goes on with other writes while somebody holds the row of one", async () => {
  const url = await server.createDatabase();
  await using store = await connectPostgres(url);
  await put(store, input(containerId("held"), { n: 1 }));
  await using other = await session(url);
  await other.query("BEGIN");
  await other.query("SELECT 1 FROM documents WHERE key = $1 FOR UPDATE", [containerId("held").toLowerCase()]);

  let isOver = false;
  const held = Promise.all([2, 3].map((n) => put(store, input(containerId("held"), { n })))).then(() => {
    isOver = true;
  });
  await Promise.all(Array.from({ length: 50 }, (_, n) => put(store, input(containerId(`n${n}`)))));
  await put(store, input(containerId("later")));

  assert.equal(isOver, false);
  await other.query("COMMIT");
  await held;
  assert.ok([2, 3].includes((await store.get(containerId("held")))?.body["n"] as number));
});

it("fails no write because a reader of the audit log holds all of them up", async () => {
  const url = await server.createDatabase();
  await using store = await connectPostgres(url);
  await using other = await session(url);
  await other.query(`SELECT pg_advisory_lock(${auditLock})`);

  const writes = Array.from({ length: 10 }, (_, n) => put(store, input(containerId(`n${n}`))));
  const done = Promise.allSettled(writes);
  await until("they have left the transaction that they shared", async () => {
    const { rows } = await other.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    return rows.length > 2;
  });
  await other.query(`SELECT pg_advisory_unlock(${auditLock})`);

  assert.ok((await done).every(({ status }) => status === "fulfilled"));
});

it("keeps the writes of an operation in their order when one of them has to wait", async () => {
  const url = await server.createDatabase();
  await using store = await connectPostgres(url);
  await put(store, input(containerId("r0")));
  await using other = await session(url);
  await other.query("BEGIN");
  await other.query("SELECT 1 FROM documents WHERE key = $1 FOR UPDATE", [containerId("r0").toLowerCase()]);

  const turns = await turnsOf(store, async (writes) => {
    await until("the first has gone on alone", async () => {
      // A transaction sees `pg_stat_activity` as it was at its first look.
      const { rows } = await other.query("SELECT 1 FROM pg_locks WHERE NOT granted");
      return rows.length > 0;
    });
    await other.query("COMMIT");
    await Promise.all(writes);
  });

  assert.deepEqual(turns, inOrder(turns));
});

it("keeps them in their order when all have to leave a transaction that cannot be sent", async () => {
  await using store = await connectPostgres(await server.createDatabase());

  const turns = await turnsOf(store, async (writes) => {
    await assert.rejects(put(store, input(containerId("\0"))));
    await Promise.all(writes);
  });

  assert.deepEqual(turns, inOrder(turns));
});

/** @returns the turns of twenty writes of one operation, in the order in which they are told. */
async function turnsOf(
  store: Store,
  during: (writes: readonly Promise<unknown>[]) => Promise<void>,
): Promise<number[]> {
  const operationId = await accept(store);
  const leased = await store.operations.take({ owner: "w", leaseMs: 60_000, queues: [{ name: "default" }] });
  assert.ok(leased);
  const told: StoreEvent[] = [];
  using _subscription = store.subscribe((event) => void (event.kind === "progress" && told.push(event)));
  let turn = 0;
  const writes = Array.from({ length: 20 }, (_, n) =>
    store.write({
      lease: leased.lease,
      document: {
        kind: "put",
        input: { ...input(containerId(`r${n}`)), operationId },
        inTurn: (body) => ({ ...body, turn: (turn += 1) }),
        expect: "any",
      },
    }),
  );
  await during(writes);
  const turns = await Promise.all(
    told.map(async (event) => {
      assert.ok(event.kind === "progress" && typeof event.document === "object");
      return (await store.get(event.document.id))?.body["turn"] as number;
    }),
  );
  assert.equal(turns.length, 20);
  return turns;
}

function inOrder(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

it("shows no record before those with smaller numbers are there for good", async () => {
  const url = await server.createDatabase();
  await using store = await connectPostgres(url);
  await store.audit.append([record("first")]);
  await using other = await session(url);
  await other.query("BEGIN");
  await other.query("SELECT radius_write($1::jsonb, 0, 'other', '[]', false)", [
    JSON.stringify([{ audit: [record("slow")] }]),
  ]);
  await store.audit.append([record("quick")]);

  const reading = store.audit.list({ limit: 10 });
  const isWaiting = await Promise.race([
    reading.then(() => false),
    until("the reader waits", async () => {
      const { rows } = await other.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
      return rows.length > 0;
    }).then(() => true),
  ]);
  assert.ok(isWaiting);
  await other.query("COMMIT");

  assert.deepEqual(
    (await reading).map(({ target }) => target),
    ["first", "slow", "quick"],
  );
});

it("does not judge a page by what was settled after it was read", async () => {
  const url = await server.createDatabase();
  await using proxy = await CountingProxy.start(url);
  await using store = await connectPostgres(proxy.url);
  await using other = await session(url);
  await other.query("BEGIN");
  await other.query("SELECT radius_write($1::jsonb, 0, 'other', '[]', false)", [
    JSON.stringify([{ audit: [record("slow")] }]),
  ]);
  await store.audit.append([record("quick")]);
  const earlier = proxy.total.statements;
  proxy.delayMs = 1_000; // for the first answer alone
  const early = store.audit.list({ limit: 10 });
  await until("the page is read", () => proxy.total.statements > earlier);
  await delay(200);
  proxy.delayMs = 0;
  await other.query("COMMIT");

  const late = await store.audit.list({ limit: 10 });

  const targets = [await early, late].map((page) => page.map(({ target }) => target));
  assert.deepEqual(targets, [
    ["slow", "quick"],
    ["slow", "quick"],
  ]);
});

it("goes on writing while a reader of the audit log waits for a write that is held up", async () => {
  const url = await server.createDatabase();
  await using store = await connectPostgres(url);
  await put(store, input(containerId("held")));
  await store.audit.append([record("first")]);
  await using other = await session(url);
  await using watcher = await session(url); // a transaction sees the activity of others as it was at its first look
  await other.query("BEGIN");
  await other.query("SELECT 1 FROM documents WHERE key = $1 FOR UPDATE", [containerId("held").toLowerCase()]);
  const held = put(store, input(containerId("held"), { n: 2 }));
  await until("it has gone on alone", async () => {
    const { rows } = await watcher.query(
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND now() - query_start > interval '200 ms'",
    );
    return rows.length > 0;
  });
  const reading = store.audit.list({ limit: 10 });
  await until("the reader has asked for the lock", async () => {
    const { rows } = await watcher.query("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT radius_settled%'");
    return rows.length > 0;
  });

  for (let n = 0; n < 5; n += 1) {
    await put(store, input(containerId(`n${n}`)));
  }

  await other.query("COMMIT");
  await held;
  assert.deepEqual(
    (await reading).map(({ target }) => target),
    ["first"],
  );
});

it("lets a reader wait also for a put that needs no other document", async () => {
  const url = await server.createDatabase();
  await using store = await connectPostgres(url);
  await using other = await session(url);
  await other.query(`SELECT pg_advisory_lock(${auditLock})`);
  const audit = [record("put")];

  let isWritten = false;
  const writing = store
    .write({ document: { kind: "put", input: input(containerId("web")), expect: "absent" }, audit })
    .then(() => {
      isWritten = true;
    });
  await until("the put waits", async () => {
    const { rows } = await other.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    return rows.length > 0;
  });
  assert.equal(isWritten, false);
  await other.query(`SELECT pg_advisory_unlock(${auditLock})`);
  await writing;
});

it("tells others in several notifications what does not fit in one, in its order", async () => {
  const url = await server.createDatabase();
  await using one = await connectPostgres(url);
  await using two = await connectPostgres(url);
  const operationId = await accept(one);
  const leased = await one.operations.take({ owner: "w", leaseMs: 60_000, queues: [{ name: "default" }] });
  assert.ok(leased);
  const heard: StoreEvent[] = [];
  using _subscription = two.subscribe((event) => void (event.kind === "progress" && heard.push(event)));
  const ids = Array.from({ length: 200 }, (_, n) => containerId(`record-${n}-${"x".repeat(40)}`));

  await one.write({
    lease: leased.lease,
    also: ids.map((id) => ({ kind: "put", input: { ...input(id), operationId }, expect: "any" })),
  });
  await until("the other has heard of all", () => heard.length === ids.length);

  const named = heard.map((event) =>
    event.kind === "progress" && typeof event.document === "object" ? event.document.id : "",
  );
  assert.deepEqual(named, ids);
});

it("tells others of documents that nobody is known to follow, without a notification for each", async () => {
  const url = await server.createDatabase();
  await using one = await connectPostgres(url);
  await using two = await connectPostgres(url);
  const heard: StoreEvent[] = [];
  using _subscription = two.subscribe((event) => heard.push(event));

  for (let n = 0; n < 20; n += 1) {
    await put(one, input(containerId(`n${n}`)));
  }
  await until("the other has heard", () => heard.length > 0);

  assert.deepEqual(heard[0], { kind: "document", type: "applications.core/containers" });
  assert.ok(heard.length < 20);
});

it("finds nothing under a name that PostgreSQL cannot hold, and lets others read beside it", async () => {
  await using store = await connectPostgres(await server.createDatabase());
  await put(store, input(containerId("web"), { n: 1 }));
  const names = ["web", "web", "\0", "web"];

  const found = await Promise.all(names.map((name) => store.get(containerId(name))));
  const operations = await Promise.all(names.map((name) => store.operations.get(name)));

  assert.deepEqual(
    found.map((document) => document?.body["n"]),
    [1, 1, undefined, 1],
  );
  assert.ok(operations.every((operation) => operation === undefined));
});

it("tells others of a registration that was removed, with the commit, and of other documents later", async () => {
  const url = await server.createDatabase();
  await using one = await connectPostgres(url);
  await using two = await connectPostgres(url);
  const registration = "/planes/radius/local/providers/System.Resources/resourceProviders/Test.Removed";
  const heard: StoreEvent[] = [];
  using _subscription = two.subscribe((event) => heard.push(event));
  await put(one, { ...input(registration), type: "System.Resources/resourceProviders" });
  await put(one, input(containerId("web")));
  await until("what was put is told", () => heard.length >= 2);
  heard.length = 0;

  await one.write({ document: { kind: "remove", id: containerId("web"), expect: "any" } });
  await one.write({ document: { kind: "remove", id: registration, expect: "any" } });
  await until("both are told", () => heard.length >= 2);

  assert.deepEqual(heard.map((event) => (event.kind === "document" ? event.type : event.kind)).toSorted(), [
    "applications.core/containers",
    "system.resources/resourceproviders",
  ]);
});

it("recalls what it has seen, until it knows better", async () => {
  const url = await server.createDatabase();
  await using one = await connectPostgres(url);
  await using two = await connectPostgres(url);
  const id = containerId("web");

  assert.equal(one.recall(id).document, undefined);
  const first = await put(one, input(id, { n: 1 }));
  assert.equal(one.recall(id).document?.etag, first?.etag);
  assert.equal(two.recall(id).document, undefined);
  const second = await put(two, input(id, { n: 2 }));
  assert.equal(one.recall(id).document?.etag, first?.etag);

  const outdated = { kind: "put", input: input(id, { n: 3 }), expect: { etag: first?.etag ?? "" } } as const;
  await assert.rejects(one.write({ document: outdated }), { code: "EtagMismatch" });
  assert.equal(one.recall(id).document, undefined);
  await one.get(id);
  assert.equal(one.recall(id).document?.etag, second?.etag);
  await one.write({ document: { kind: "remove", id, expect: "any" } });
  assert.equal(one.recall(id).document, undefined);
});

it("refuses to start where transactions see nothing of what others do meanwhile", async () => {
  const url = await server.createDatabase();
  await using admin = await session(url);
  await admin.query(
    `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_isolation = serializable`,
  );
  await using store = await connectPostgres(url); // it asks for what it needs

  await put(store, input(containerId("web")));
  await assert.rejects(
    openPostgresStore({
      url,
      listenUrl: url,
      preparedStatements: false,
      keys: { keys: [oldKey] },
      log: silentLogger,
    }),
    { code: "CannotOpen" },
  );
});

function record(target: string): AuditRecord {
  const time = new Date();
  return { phase: "refusal", time, caller: "c", action: "a", target, apiVersion: "1", correlationId: "i" };
}
