// PostgreSQL is away when the server starts, or goes away under it. The server stays up, says so, and recovers.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { until } from "@rad/core/testing";
import type { ResourceHandler } from "@rad/resources";
import { local, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { configuredTokens, createIdentity } from "../testing/identities.ts";
import { type PostgresDatabase, startPostgresDatabase } from "./support/postgres-database.ts";

const timeout = 60_000;
const v = "api-version=2025-01-01";
const group = (name: string): string => `${local}/resourcegroups/${name}?${systemVersion}`;
const work = (name: string): string => `${local}/resourcegroups/kept/providers/Test.Outage/works/${name}?${v}`;
const body = { location: "global" };

let database: PostgresDatabase;
let started: PromiseWithResolvers<void>;
let gate: PromiseWithResolvers<void>;
beforeEach(async () => {
  started = Promise.withResolvers();
  gate = Promise.withResolvers();
  database = await startPostgresDatabase();
});
afterEach(async () => {
  gate.resolve();
  await database[Symbol.asyncDispose]();
});

const gated: ResourceHandler = {
  put: async () => {
    started.resolve();
    await gate.promise;
  },
};

// What happens is logged as a warning; only failures that nobody foresaw are errors.
const options = { handlers: { "Test.Outage/works": gated } };

async function assertAway(server: TestServer): Promise<void> {
  assert.equal((await server.call("GET", "/healthz")).status, 200);
  const ready = await server.call("GET", "/readyz");
  assert.deepEqual([ready.status, ready.code], [503, "ServiceUnavailable"]);
  for (const [method, sent] of [
    ["GET", {}],
    ["PUT", { body }],
    ["DELETE", {}],
  ] as const) {
    const reply = await server.call(method, group("refused"), sent);
    assert.deepEqual([method, reply.status, reply.code], [method, 503, "ServiceUnavailable"]);
    assert.doesNotMatch(reply.text, /127\.0\.0\.1|postgres/i);
  }
  const stranger = await server.call("GET", group("refused"), { token: "unknown" });
  assert.equal(stranger.status, 401, "identity does not wait for the database");
}

const untilReady = (server: TestServer): Promise<true> =>
  until("the server is ready", async () => (await server.call("GET", "/readyz")).status === 200);

it("a server that starts before its database listens, says so, and works once it is there", { timeout }, async () => {
  await database.postgres.stop();
  await using server = await database.startServer({ ...options, overrides: { metricsProvider: { enabled: true } } });
  await assertAway(server);
  const metrics = await server.call("GET", "/metrics");
  assert.match(metrics.text, /^radius_audit_lost_refusals_total 3$/m);

  assert.match(metrics.text, /^radius_database_errors_total\{error_type="Unavailable"\} [1-9]/m);

  await database.postgres.start();
  await untilReady(server);

  assert.equal((await server.call("PUT", group("kept"), { body })).status, 200);
  assert.equal((await server.call("GET", group("refused"))).status, 404);
  await server.register("Test.Outage", { works: {} });
  gate.resolve();
  const accepted = await server.call("PUT", work("one"), { body: { properties: {} } });
  assert.equal((await server.settle(accepted))["status"], "Succeeded");
});

it(
  "the bootstrap token is not refused before the database can be asked, and made once it can",
  { timeout },
  async () => {
    const bootstrapTokenFile = join(dirname(database.keyFile), "bootstrap");
    const overrides = {
      databaseProvider: { provider: "postgresql" as const, postgresql: { url: database.url } },
      encryption: { keyFile: database.keyFile },
      authentication: { bootstrapTokenFile },
    };
    await database.postgres.stop();
    await using server = await startTestServer({ overrides, token: "rad_some-token" });
    const early = await server.call("GET", group("kept"));

    await database.postgres.start();
    await untilReady(server);
    const token = await until("there is a token", () => readFile(bootstrapTokenFile, "utf8").catch(() => undefined));

    assert.deepEqual([early.status, early.code], [503, "ServiceUnavailable"]);
    assert.equal((await server.call("PUT", group("kept"), { body, token: token.trim() })).status, 200);
    assert.equal((await server.call("GET", group("kept"))).status, 401);
  },
);

it("a server whose database never came can be stopped", { timeout }, async () => {
  await database.postgres.stop();
  const server = await database.startServer(options);

  await server[Symbol.asyncDispose]();

  await assert.rejects(fetch(server.url));
});

it("a server whose database came late stops as gently as any other", { timeout }, async () => {
  await database.postgres.stop();
  const server = await database.startServer({ handlers: { "Radius.Core/settings": gated } });
  await database.postgres.start();
  await untilReady(server);
  await server.register("Radius.Core", { settings: {} });
  await server.call("PUT", group("kept"), { body });
  const path = `${local}/resourcegroups/kept/providers/Radius.Core/settings/one?${v}`;
  const answer = server.call("PUT", path, { body: { location: "global", properties: {} } });
  await started.promise;

  const stopped = server[Symbol.asyncDispose]();
  await until("new connections are refused", () =>
    fetch(`${server.url}/healthz`).then(
      () => undefined,
      () => true,
    ),
  );
  gate.resolve();

  assert.equal((await answer).status, 200);
  await stopped;
});

it("a database that goes away under load loses no acknowledged write and no operation", { timeout }, async () => {
  await using server = await database.startServer(options);
  await server.register("Test.Outage", { works: {} });
  await server.call("PUT", group("kept"), { body });
  const operation = await server.call("PUT", work("one"), { body: { properties: {} } });
  await started.promise;
  const acknowledged: string[] = [];
  let failed = 0;
  const over = new AbortController();
  const writer = async (name: string): Promise<void> => {
    for (let index = 0; !over.signal.aborted; index += 1) {
      const path = group(`${name}${index}`);
      const reply = await server.call("PUT", path, { body });
      if (reply.status === 200) {
        acknowledged.push(path);
      } else {
        assert.deepEqual([reply.status, reply.code], [503, "ServiceUnavailable"]);
        failed += 1;
      }
    }
  };
  const writers = ["a", "b", "c", "d"].map(writer);
  await until("writes arrive", () => acknowledged.length > 20);

  await database.postgres.stop();
  await until("writes are refused", () => failed > 4);
  await assertAway(server);
  gate.resolve(); // the operation's work ends now, and that cannot be stored
  await database.postgres.start();
  await untilReady(server);
  const sofar = acknowledged.length;
  await until("writes arrive again", () => acknowledged.length > sofar + 4);
  over.abort();
  await Promise.all(writers);

  for (const path of acknowledged) {
    assert.equal((await server.call("GET", path)).status, 200, path);
  }
  assert.equal((await server.settle(operation))["status"], "Succeeded");
});

it("a wrong password or database name stops the start instead of waiting for ever", { timeout }, async () => {
  const url = await database.postgres.createDatabase();
  for (const [wrong, secret] of [
    [url.replace(/:[^:@]+@/, ":wr0ng-password@"), /wr0ng-password/],
    [url.replace(/\/[^/]+$/, "/absent"), /:[0-9a-f]{32}@/],
  ] as const) {
    const broken = startTestServer({
      overrides: {
        databaseProvider: { provider: "postgresql", postgresql: { url: wrong } },
        encryption: { keyFile: database.keyFile },
        authentication: configuredTokens(createIdentity("admin")),
      },
    });
    await assert.rejects(broken, (error: Error) => {
      assert.equal("code" in error ? error.code : undefined, "CannotOpen");
      assert.doesNotMatch(error.message, secret);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  }
});
