// How a server stops: what is under way finishes, nothing acknowledged is lost, and it does not take for ever.
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@rad/core";
import { until } from "@rad/core/testing";
import type { ResourceHandler } from "@rad/resources";
import { local, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { auditOf, auditText } from "./support/audit.ts";
import { RawConnection } from "./support/raw-connection.ts";

/** Only a server that hangs runs into it. */
const timeout = 30_000;
const group = `${local}/resourcegroups/shutdown`;
const v = "api-version=2025-01-01";
/** Changed inside the request. */
const setting = `${group}/providers/Radius.Core/settings/one?${v}`;
/** Changed by a worker. */
const work = `${group}/providers/Test.Shutdown/works/one?${v}`;
const body = { location: "global", properties: {} };

let directory: string;
let started: PromiseWithResolvers<void>;
let gate: PromiseWithResolvers<void>;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-shutdown-"));
  started = Promise.withResolvers();
  gate = Promise.withResolvers();
});
afterEach(async () => {
  gate.resolve();
  await rm(directory, { recursive: true });
});

const gated: ResourceHandler = {
  put: async () => {
    started.resolve();
    await gate.promise;
  },
};

async function start(drainSeconds: number): Promise<TestServer> {
  const server = await startTestServer({
    directory,
    overrides: { operations: { drainSeconds } },
    handlers: { "Radius.Core/settings": gated, "Test.Shutdown/works": gated },
  });
  await server.register("Radius.Core", { settings: {} });
  await server.register("Test.Shutdown", { works: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  return server;
}

it("leaves no timer that would keep the process from ending", { timeout }, async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const server = await start(3_600);

  await server[Symbol.asyncDispose]();

  assert.equal(timers(), before);
});

it("connections that are kept alive do not hold it up", { timeout }, async (test) => {
  const server = await start(3_600);
  const agent = new Agent({ keepAlive: true });
  test.after(() => agent.destroy());
  const [response] = (await once(get(`${server.url}/healthz`, { agent }), "response")) as [IncomingMessage];
  await response.toArray();
  using _silent = await RawConnection.open(server.url);

  await server[Symbol.asyncDispose]();

  await assert.rejects(fetch(`${server.url}/healthz`));
});

it("callers who wait for the end of an operation are told how far it is", { timeout }, async () => {
  const server = await start(1);
  await server.call("PUT", work, { body });
  await started.promise;
  const waiting = server.call("GET", work, { headers: { prefer: "wait=30" } });
  await sleep(50);

  const stopped = server[Symbol.asyncDispose]();
  const reply = await waiting;
  gate.resolve();
  await stopped;

  assert.equal(reply.status, 200);
  assert.match(reply.text, /"Updating"/);
});

it("a request that is under way gets its answer, and what it wrote is there", { timeout }, async () => {
  const server = await start(3_600);
  const answer = server.call("PUT", setting, { body });
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
  await using again = await startTestServer({ directory });
  assert.equal((await again.call("GET", setting)).status, 200);
});

it("a request that does not end is cut after the grace, and left out whole", { timeout }, async () => {
  const server = await start(1);
  const answer = server.call("PUT", setting, { body });
  await started.promise;

  const [outcome] = await Promise.allSettled([answer, server[Symbol.asyncDispose]()]);

  assert.equal(outcome.status, "rejected");
  gate.resolve();
  await using again = await startTestServer({ directory });
  assert.equal((await again.call("GET", setting)).status, 404);
});

it("a change that fails because it was cut has its outcome in the audit", { timeout }, async () => {
  const headers = { "x-ms-correlation-request-id": "cut-and-failed" };
  const yielding: ResourceHandler = {
    put: async ({ signal }) => {
      started.resolve();
      await once(signal, "abort");
      await sleep(100); // tidies up
      throw new ApiError("Conflict", "not any more");
    },
  };
  const server = await startTestServer({
    directory,
    overrides: { operations: { drainSeconds: 0 } },
    handlers: { "Radius.Core/settings": yielding },
  });
  await server.register("Radius.Core", { settings: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  const answer = server.call("PUT", setting, { body, headers });
  await started.promise;

  await Promise.allSettled([answer, server[Symbol.asyncDispose]()]);

  await using again = await startTestServer({ directory });
  const records = await auditOf(again, "cut-and-failed");
  assert.deepEqual(
    records.map(({ phase, result }) => [phase, result]),
    [
      ["intent", undefined],
      ["outcome", "Failed"],
    ],
  );
});

it("an upload that does not end is cut after the grace", { timeout }, async () => {
  const server = await start(1);
  using connection = await RawConnection.open(server.url);
  connection.send(
    [`PUT ${setting} HTTP/1.1`, "Host: x", "Content-Type: application/json", "Content-Length: 99", "", "{"].join(
      "\r\n",
    ),
  );
  await server.call("GET", "/healthz");

  await server[Symbol.asyncDispose]();

  assert.doesNotMatch(await connection.end(), /^HTTP\/1\.1 2/);
  await using again = await startTestServer({ directory });
  assert.match(await auditText(again), /"result":"InvalidAuthenticationInfo"/);
});

it("an operation that does not end is handed back, and the next start finishes it", { timeout }, async () => {
  const server = await start(0);
  const accepted = await server.call("PUT", work, { body });
  await started.promise;

  await server[Symbol.asyncDispose]();
  gate.resolve();
  await using again = await startTestServer({ directory });
  const link = new URL(accepted.headers.get("azure-asyncoperation") ?? "");
  const moved = new Headers({ "azure-asyncoperation": `${again.url}${link.pathname}${link.search}` });

  assert.equal((await again.settle({ ...accepted, headers: moved }))["status"], "Succeeded");
});

it("stopping twice is stopping once", { timeout }, async () => {
  const server = await start(3_600);

  await Promise.all([server[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]);
});

it("every acknowledged write of a busy server is there after it was stopped", { timeout }, async () => {
  const server = await start(20);
  gate.resolve();
  const acknowledged: string[] = [];
  const writer = async (name: string): Promise<void> => {
    for (let index = 0; ; index += 1) {
      const path = setting.replace("/one?", `/${name}${index}?`);
      // A connection that the server closes while the next request is on its way gives no answer at all.
      const reply = await server.call("PUT", path, { body }).catch(() => undefined);
      if (reply?.status !== 200) {
        return;
      }
      acknowledged.push(path);
    }
  };
  const writers = ["a", "b", "c", "d"].map(writer);
  while (acknowledged.length < 50) {
    await server.call("GET", "/healthz");
  }

  await server[Symbol.asyncDispose]();
  await Promise.allSettled(writers);

  await using again = await startTestServer({ directory });
  for (const path of acknowledged) {
    assert.equal((await again.call("GET", path)).status, 200, path);
  }
});
