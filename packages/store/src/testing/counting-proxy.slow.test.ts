import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { Client } from "pg";
import { CountingProxy } from "./counting-proxy.ts";
import { startPostgres } from "./start-postgres.ts";
import type { PostgresServer } from "./start-postgres.ts";

let server: PostgresServer;
let databaseUrl: string;
before(async () => {
  server = await startPostgres();
  databaseUrl = await server.createDatabase();
  await using direct = await open(databaseUrl);
  await direct.query("CREATE TABLE notes (text text)");
});
after(() => server[Symbol.asyncDispose]());

it("counts round trips and statements, of each connection and of all", async () => {
  await using proxy = await CountingProxy.start(databaseUrl);
  await using one = await open(proxy.url);
  await using two = await open(proxy.url);
  assert.deepEqual(proxy.total, { roundTrips: 0, statements: 0 });

  await one.query("SELECT 1");
  for (const value of ["a", "b"]) {
    await one.query({ name: "named", text: "SELECT $1::text", values: [value] });
  }
  await two.query("BEGIN");
  await two.query("SELECT $1::text", ["c"]);
  await two.query("COMMIT");
  await two.query("LISTEN anything");

  const counted = proxy.connections.map(({ roundTrips, statements, isListening }) => [
    roundTrips,
    statements,
    isListening,
  ]);
  assert.deepEqual(counted, [
    [3, 3, false],
    [4, 4, true],
  ]);
  assert.deepEqual(proxy.total, { roundTrips: 7, statements: 7 });
});

it("counts one round trip for statements that are sent together", async () => {
  await using proxy = await CountingProxy.start(databaseUrl);
  await using client = await open(proxy.url, { pipeline: true });

  await Promise.all([client.query("SELECT 1"), client.query("SELECT 2"), client.query("SELECT 3")]);

  assert.deepEqual(proxy.total, { roundTrips: 1, statements: 3 });
});

it("passes answers of any size and notifications on", async () => {
  await using proxy = await CountingProxy.start(databaseUrl);
  await using client = await open(proxy.url);
  const heard = Promise.withResolvers<string | undefined>();
  client.on("notification", ({ payload }) => heard.resolve(payload));
  await client.query("LISTEN something");
  await using direct = await open(databaseUrl);

  const { rows } = await client.query<{ text: string }>("SELECT repeat('x', 1000000) AS text");
  await direct.query("NOTIFY something, 'news'");

  assert.equal(rows[0]?.text.length, 1_000_000);
  assert.equal(await heard.promise, "news");
});

for (const { cut, isStored, isAnswered } of [
  { cut: { at: "request" }, isStored: false, isAnswered: false },
  { cut: { at: "answer", bytes: 0 }, isStored: true, isAnswered: false },
  { cut: { at: "answer", bytes: 7 }, isStored: true, isAnswered: false },
  { cut: { at: "answer", bytes: 1_000 }, isStored: true, isAnswered: false },
  { cut: { at: "end" }, isStored: true, isAnswered: true },
] as const) {
  it(`cuts a connection at ${JSON.stringify(cut)}`, async () => {
    await using proxy = await CountingProxy.start(databaseUrl);
    await using client = await open(proxy.url);
    await client.query("BEGIN");
    const lost = Promise.withResolvers<void>();
    client.on("end", () => lost.resolve());
    const text = JSON.stringify(cut);

    if (cut.at !== "request") {
      await client.query("INSERT INTO notes VALUES ($1)", [text]);
    }
    const done = proxy.cut(cut);
    const answer = client.query(cut.at === "request" ? `INSERT INTO notes VALUES ('${text}')` : "COMMIT");
    const answered = await answer.then(
      () => true,
      () => false,
    );
    await Promise.all([done, lost.promise]);

    assert.equal(answered, isAnswered);
    await using direct = await open(databaseUrl);
    const { rowCount } = await direct.query("SELECT 1 FROM notes WHERE text = $1", [text]);
    assert.equal(rowCount, isStored ? 1 : 0);
    await using next = await open(proxy.url);
    await next.query("SELECT 1");
  });
}

it("cuts all connections, refuses new ones and delays answers until it is told otherwise", async () => {
  await using proxy = await CountingProxy.start(databaseUrl);
  await using client = await open(proxy.url);
  proxy.isRefusing = true;
  proxy.cutAll();

  await assert.rejects(client.query("SELECT 1"));
  await assert.rejects(open(proxy.url));

  proxy.isRefusing = false;
  await using again = await open(proxy.url);
  proxy.delayMs = 20;
  const order: string[] = [];
  const answered = again.query("SELECT 1").then(() => order.push("answer"));
  setTimeout(() => order.push("a moment"), 10);
  await answered;
  assert.deepEqual(order, ["a moment", "answer"]);
});

type TestClient = Client & AsyncDisposable;

async function open(connectionString: string, options: object = {}): Promise<TestClient> {
  const client = new Client({ connectionString, ...options });
  client.on("error", () => {}); // being cut off is what the tests are about
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
