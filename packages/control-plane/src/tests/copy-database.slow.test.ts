// Moving an installation from SQLite to PostgreSQL.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { silentLogger } from "@rad/core";
import { createKeyFile, openPostgresStore, openSqliteStore, readKeyFile } from "@rad/store";
import { type PostgresServer, startPostgres } from "@rad/store/testing";
import { type ConfigOverrides, loadServerConfig } from "../config/index.ts";
import { copyDatabase } from "../maintenance/copy-database.ts";
import { local, startTestServer, systemVersion } from "../testing/test-server.ts";

const group = `${local}/resourcegroups/moved`;
const store = `${group}/providers/Applications.Core/secretStores/vault`;
const v = "api-version=2023-10-01-preview";

let postgres: PostgresServer;
let directory: string;
let overrides: ConfigOverrides;
let url: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-copy-"));
  postgres = await startPostgres();
  url = await postgres.createDatabase();
  await createKeyFile(join(directory, "keys"));
  overrides = {
    databaseProvider: { provider: "postgresql", postgresql: { url } },
    encryption: { keyFile: join(directory, "keys") },
    authentication: { bootstrapTokenFile: join(directory, "bootstrap") },
  };
});
afterEach(async () => {
  await postgres[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const from = (): string => join(directory, "sqlite");
const target = () => loadServerConfig({ env: {}, overrides });

async function fillSqlite(): Promise<string> {
  await using server = await startTestServer({ directory: from() });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  await server.register("Test.Copy", { items: {} });
  const item = `${group}/providers/Test.Copy/items/one?api-version=2025-01-01`;
  await server.settle(await server.call("PUT", item, { body: { properties: { size: 1 } } }));
  const properties = { type: "generic", resource: "ns/vault", data: { password: { value: "canary-copy" } } };
  const put = await server.call("PUT", `${store}?${v}`, { body: { location: "global", properties } });
  assert.ok(put.status < 300, put.text);
  if (put.headers.has("azure-asyncoperation")) {
    await server.settle(put);
  }
  return (await server.call("GET", `${store}?${v}`)).text;
}

it("a server on PostgreSQL has everything that the one on SQLite had, secret values too", async () => {
  const before = await fillSqlite();

  const copied = await copyDatabase({ from: from(), to: target() });

  assert.ok(copied > 10);
  await using server = await startTestServer({ overrides, token: "" });
  const token = (await readFile(join(directory, "bootstrap"), "utf8")).trim();
  assert.equal((await server.call("GET", `${store}?${v}`, { token })).text, before);
  const secrets = await server.call("POST", `${store}/listSecrets?${v}`, { token, body: {} });
  assert.match(secrets.text, /canary-copy/);
  const item = await server.call("GET", `${group}/providers/Test.Copy/items/one?api-version=2025-01-01`, { token });
  assert.equal(item.status, 200);
});

it("an interrupted copy keeps servers from starting, and is finished by the next one", async () => {
  await fillSqlite();
  const interrupt = (copied: number): void => {
    if (copied === 5) {
      throw new Error("interrupted");
    }
  };
  await assert.rejects(copyDatabase({ from: from(), to: target(), onProgress: interrupt }), /interrupted/);

  await assert.rejects(startTestServer({ overrides, token: "" }), { code: "CannotOpen", message: /rad server copy/ });
  await copyDatabase({ from: from(), to: target() });

  await using server = await startTestServer({ overrides, token: "" });
  assert.equal((await server.call("GET", "/readyz")).status, 200);
});

it("a database that is not empty, a server that runs and a folder without a database are refused", async () => {
  await assert.rejects(copyDatabase({ from: from(), to: target() }), {
    code: "CannotOpen",
    message: /holds no database/,
  });
  await fillSqlite();
  {
    await using _ = await startTestServer({ directory: from() });
    await assert.rejects(copyDatabase({ from: from(), to: target() }), {
      code: "CannotOpen",
      message: /Another process/,
    });
  }
  const sqlite = loadServerConfig({ env: {}, overrides: { databaseProvider: { sqlite: { directory } } } });
  await assert.rejects(copyDatabase({ from: from(), to: sqlite }), { code: "InvalidConfiguration" });
  {
    await using _ = await startTestServer({ overrides, token: "" });
  }
  await assert.rejects(copyDatabase({ from: from(), to: target() }), { code: "CannotOpen", message: /not empty/ });
});

it("operations that have not ended are not torn in two", async () => {
  await fillSqlite();
  {
    await using open = await openSqliteStore({ directory: from(), log: silentLogger });
    await open.write({
      operation: {
        id: "00000000-0000-4000-8000-000000000001",
        resourceId: `${group}/providers/Test.Copy/items/one`,
        kind: "put",
        apiVersion: "2025-01-01",
        queue: "default",
        timeoutMs: 60_000,
        caller: "test",
        correlationId: "test",
      },
    });
  }

  await assert.rejects(copyDatabase({ from: from(), to: target() }), {
    code: "CannotOpen",
    message: /^Operations have not ended: 1\./,
  });

  const keys = await readKeyFile(join(directory, "keys"));
  await using empty = await openPostgresStore({ url, keys, log: silentLogger });
  assert.deepEqual((await empty.list({ under: "/" })).items, []);
});
