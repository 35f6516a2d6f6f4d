import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { Client } from "pg";
import { startPostgres } from "./start-postgres.ts";
import type { PostgresServer } from "./start-postgres.ts";
import { TransactionPooler } from "./transaction-pooler.ts";

let server: PostgresServer;
let pooler: TransactionPooler;
before(async () => {
  server = await startPostgres();
  pooler = await TransactionPooler.start(await server.createDatabase(), { connections: 2 });
});
after(async () => {
  await pooler[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const pid = "SELECT pg_backend_pid() AS pid";

it("runs each transaction on another connection, and each whole transaction on one", async () => {
  await using client = await open();
  const single = [await backendOf(client), await backendOf(client)];
  await client.query("BEGIN");
  const together = [await backendOf(client), await backendOf(client)];
  await client.query("COMMIT");

  assert.equal(new Set(single).size, 2);
  assert.equal(new Set(together).size, 1);
});

it("loses named prepared statements between transactions", async () => {
  await using client = await open();
  const named = (): Promise<unknown> => client.query({ name: "named", text: "SELECT $1::text", values: ["a"] });
  await named();

  await assert.rejects(named(), { code: "26000" });
});

it("serves more clients than it has connections, and rolls back what a client leaves behind", async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, open));
  const answers = await Promise.all(clients.map(backendOf));
  assert.ok(new Set(answers).size <= 2);
  const [leaving, staying] = clients as [TestClient, TestClient];
  await staying.query("CREATE TABLE left_behind (n integer)");

  await leaving.query("BEGIN");
  await leaving.query("INSERT INTO left_behind VALUES (1)");
  await leaving.end();

  const { rowCount } = await staying.query("SELECT 1 FROM left_behind");
  assert.equal(rowCount, 0);
  await Promise.all(clients.map((client) => client.end()));
});

it("goes on after PostgreSQL was restarted", async () => {
  await using before = await open();
  await backendOf(before);

  await server.restart();

  await using client = await open();
  await backendOf(client);
});

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(pid);
  return rows[0]?.pid ?? 0;
}

type TestClient = Client & AsyncDisposable;

async function open(): Promise<TestClient> {
  const client = new Client({ connectionString: pooler.url });
  client.on("error", () => {}); // a restart cuts it off
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
