import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { Client } from "pg";
import { silentLogger } from "@rad/core";
import type { Store } from "../store.ts";
import { containerId, input, put } from "../testing/contract/fixture.ts";
import { CountingProxy } from "../testing/counting-proxy.ts";
import { connectPostgres } from "../testing/connect-postgres.ts";
import { startPostgres } from "../testing/start-postgres.ts";
import type { PostgresServer } from "../testing/start-postgres.ts";
import { Database } from "./database.ts";

let server: PostgresServer;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

for (const [when, prepare] of [
  ["its first statements", async () => {}],
  ["statements", async (store: Store) => void (await put(store, input(containerId("first"))))],
] as const) {
  it(`closes in the middle of ${when}, and all of them settle`, { timeout: 30_000 }, async () => {
    const store = await connectPostgres(await server.createDatabase());
    await prepare(store);
    const ids = Array.from({ length: 30 }, (_, n) => containerId(`n${n}`));

    const settled = Promise.allSettled([...ids.map((id) => put(store, input(id))), ...ids.map((id) => store.get(id))]);
    await store[Symbol.asyncDispose]();

    const failures = (await settled).flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    assert.ok(failures.every((error) => (error as { code?: string }).code === "Unavailable"));
  });
}

it("stores and returns values of every kind as they are, on a lane and elsewhere", async () => {
  const url = await server.createDatabase();
  const database = new Database({ url, poolSize: 3, log: silentLogger, preparedStatements: true });
  const texts = [
    "",
    'say "no"',
    String.raw`C:\new "x"`,
    'line\nbreak "\u001f\u007f"',
    "NULL",
    "a,b{c}",
    '😀 "é" \u2028',
    null,
  ];
  const times = [new Date("2026-01-02T03:04:05.678Z"), null];
  const select = `SELECT $1::text[] AS texts, $2::timestamptz[] AS times, $3::text AS text, $4::integer AS number,
    $5::boolean AS flag, $6::timestamptz AS time, $7::text AS nothing, '{"a": 1}'::jsonb AS json`;
  const values = [texts, times, 'a "b" \\', 7, true, times[0], undefined];
  const expected = {
    texts,
    times,
    text: values[2],
    number: 7,
    flag: true,
    time: times[0],
    nothing: null,
    json: { a: 1 },
  };

  const lane = database.lane("SET TimeZone = 'UTC'");
  const elsewhere = database.lane("SET TimeZone = 'Asia/Kolkata'");
  for (const sql of [lane, lane, elsewhere, database]) {
    assert.deepEqual(await sql.query(select, values), [expected]);
  }
  await assert.rejects(lane.query("SELECT 1 / $1::integer AS n", [0]), { code: "22012" });
  assert.deepEqual(await lane.query("SELECT 1 / $1::integer AS n", [1]), [{ n: 1 }]);
  await database.close();
});

it("leaves a connection that did not answer in time", async () => {
  await using proxy = await CountingProxy.start(await server.createDatabase());
  await using store = await connectPostgres(`${proxy.url}?query_timeout=1000`);
  const id = containerId("web");
  await put(store, input(id, { n: 1 }));
  for (let statement = 0; statement < 4; statement += 1) {
    await setTimeout(400); // those that were answered leave no time behind for the next
    await store.get(id);
  }
  proxy.delayMs = 5_000;
  await assert.rejects(put(store, input(id, { n: 2 })), { code: "Unavailable" });
  await assert.rejects(store.get(id), { code: "Unavailable" });
  proxy.delayMs = 0;

  await put(store, input(id, { n: 3 }));

  assert.deepEqual((await store.get(id))?.body, { n: 3 });
});

it("loses nothing that it acknowledged while its connections are ended", { timeout: 60_000 }, async () => {
  const url = await server.createDatabase();
  await using one = await connectPostgres(url);
  await using two = await connectPostgres(url);
  await using admin = Object.assign(new Client({ connectionString: url }), {
    [Symbol.asyncDispose]: () => admin.end(),
  });
  await admin.connect();
  const acknowledged: string[] = [];
  const over = new AbortController();
  const write = async (store: Store, name: string): Promise<void> => {
    for (let n = 0; !over.signal.aborted; n += 1) {
      const id = containerId(`${name}-${n}`);
      try {
        await put(store, input(id), n % 2 === 0 ? "absent" : "any");
        acknowledged.push(id);
      } catch (error) {
        assert.equal((error as { code?: string }).code, "Unavailable");
      }
    }
  };

  const writers = [one, two].flatMap((store, s) => Array.from({ length: 8 }, (_, n) => write(store, `w${s}-${n}`)));
  for (let round = 0; round < 40; round += 1) {
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'radius' AND datname = current_database() AND random() < 0.5`,
    );
    await admin.query("SELECT pg_sleep(random() * 0.05)");
  }
  over.abort();
  await Promise.all(writers);

  const { rows } = await admin.query<{ key: string }>("SELECT key FROM documents");
  const stored = new Set(rows.map(({ key }) => key));
  assert.ok(acknowledged.length > 0);
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id.toLowerCase())),
    [],
  );
});
