// Several servers share few connections to PostgreSQL through a pooler in transaction mode.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { ConfigOverrides } from "@rad/control-plane";
import { until } from "@rad/core/testing";
import { startPostgres, TransactionPooler } from "@rad/store/testing";
import type { PostgresServer } from "@rad/store/testing";
import { prepareTraffic, Traffic } from "./faults/traffic.ts";
import { group, registerType, request } from "./support/api.ts";
import { survivingKills } from "./support/crashing-server.ts";
import { openDatabaseOf } from "./support/database.ts";
import type { ServerProcess } from "./support/server-process.ts";

const seed = Number(process.env["RAD_CRASH_SEED"] ?? Date.now() % 1_000_000);

const opened = new AsyncDisposableStack();
let postgres: PostgresServer;
let one: ServerProcess;
let two: ServerProcess;

before(async () => {
  postgres = opened.use(await startPostgres());
  const url = await postgres.createDatabase();
  const pooler = opened.use(await TransactionPooler.start(url, { connections: 4 }));
  const database = opened.use(await openDatabaseOf(postgres, pooler.url));
  const databaseProvider = {
    provider: "postgresql",
    postgresql: { url: pooler.url, preparedStatements: false, listenUrl: url },
  } as ConfigOverrides["databaseProvider"];
  const config = { ...survivingKills, databaseProvider };
  one = opened.use(await database.startServer(config));
  two = opened.use(await database.startServer(config));
  await prepareTraffic(one);
});
after(() => opened.disposeAsync());

it("every request gets a right answer, also after PostgreSQL was restarted", async (t) => {
  t.diagnostic(`RAD_CRASH_SEED=${seed}`);
  let turn = 0;
  const server = (): ServerProcess => {
    turn += 1;
    return turn % 2 === 0 ? one : two;
  };
  await using traffic = new Traffic({ server, name: "pooled", seed });
  await traffic.goesOn(100);
  assert.equal(traffic.unavailable, 0, "a request was refused while the database was there");

  await postgres.restart();

  await traffic.goesOn(100);
  await traffic.verify(one);
});

it("one server hears what another has changed", async () => {
  const type = "Test.Pooled/things";
  const put = () => request(two, "PUT", `${group}/providers/${type}/a`, { properties: { size: "big" } });
  await registerType(one, type, { size: { type: "integer" } });
  assert.equal((await put()).status, 400);

  await registerType(one, type, { size: { type: "string" } });

  await until("the other one knows the new schema", async () => (await put()).status === 201);
});
