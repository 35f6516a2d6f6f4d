// The server listens before everything is loaded; requests that arrive meanwhile wait for it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import type { ModuleFactory } from "@rad/modules";
import { createApiCalls } from "../testing/api-calls.ts";
import { local, registry, startTestServer, systemVersion } from "../testing/test-server.ts";

const provider = `${registry}/Applications.Core?${systemVersion}`;
const group = `${local}/resourcegroups/first?${systemVersion}`;

let directory: string;
let port: number;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-start-"));
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as AddressInfo);
  server.close();
});
afterEach(() => rm(directory, { recursive: true }));

/** Starts a server that cannot finish loading before `go`; resolves when it listens. */
async function startGated(create: () => ReturnType<ModuleFactory["create"]>) {
  const gate = Promise.withResolvers<void>();
  const gated: ModuleFactory = {
    name: "gated",
    create: async () => {
      await gate.promise;
      return await create();
    },
  };
  const starting = startTestServer({ directory, modules: [gated], overrides: { server: { port } } });
  starting.catch(() => {}); // handled where the test awaits it
  await until("the server listens", async () => (await statusOf("/healthz")) === 200);
  const token = (await readFile(join(directory, "token"), "utf8")).trim();
  return { starting, go: gate.resolve, api: createApiCalls(`http://127.0.0.1:${port}`, token) };
}

async function statusOf(path: string): Promise<number | undefined> {
  return await fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => undefined,
  );
}

/** Resolves when a server of this process has got a request for `path`, in the turn in which it begins to handle it. */
async function arrivalOf(path: string): Promise<void> {
  const arrived = Promise.withResolvers<void>();
  const onStart = (message: unknown): void => {
    if ((message as { readonly request: IncomingMessage }).request.url === path) {
      arrived.resolve();
    }
  };
  subscribe("http.server.request.start", onStart);
  await arrived.promise;
  unsubscribe("http.server.request.start", onStart);
}

it("is ready while it loads, and every request that needs what is loaded waits for its right answer", async () => {
  const hello = { method: "POST", path: "/version", permission: undefined, handle: () => ({ status: 202 }) };
  const { starting, go, api } = await startGated(() => ({ routes: [hello] }));
  let isAnswered = false;
  const requests = [
    api.call("GET", provider),
    api.call("PUT", group, { body: { location: "global" } }),
    api.call("GET", "/openapi.json"),
    api.call("GET", `${local}/nonsense`),
    api.call("GET", "/metrics", { token: null }),
    api.call("GET", provider, { token: null }),
    api.call("POST", "/version"),
    api.call("DELETE", "/version"),
    api.call("GET", "/nowhere"),
  ];
  void Promise.race(requests).then(() => (isAnswered = true));

  const early = [await statusOf("/readyz"), await statusOf("/version"), (await api.call("GET", "/audit")).status];
  const wasAnswered = isAnswered;
  go();
  await using server = await starting;
  const replies = await Promise.all(requests);

  assert.deepEqual(early, [200, 200, 200]);
  assert.equal(wasAnswered, false);
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200, 404, 401, 401, 202, 405, 404],
  );
  assert.match(replies[2]?.text ?? "", /Applications\.Core\/containers/);
  const audit = (await server.call("GET", "/audit")).text.trim().split("\n");
  const refused = audit.map((line) => JSON.parse(line) as JsonObject).filter(({ phase }) => phase === "refusal");
  assert.deepEqual(
    refused.map(({ status }) => Number(status)).toSorted((a, b) => a - b),
    [401, 401, 405],
  );
});

it("a part that cannot be loaded fails the start, and whoever waited gets 503", async () => {
  const { starting, go, api } = await startGated(() => {
    throw new Error("no such part");
  });
  const arrived = arrivalOf(provider);
  const waiting = api.call("GET", provider);

  await arrived; // one that comes later finds no server any more
  go();

  await assert.rejects(starting, { code: "ModuleFailed" });
  assert.equal((await waiting).status, 503);
  assert.equal(await statusOf("/readyz"), undefined);
});

it("requests from the very first moment on get their right answers, at the first start and at the next", async () => {
  const config = join(directory, "config.json");
  const sqlite = { directory: join(directory, "data") };
  await writeFile(config, JSON.stringify({ server: { port }, databaseProvider: { sqlite } }));
  const answers: unknown[] = [];
  for (const _start of [1, 2]) {
    const child = spawn(process.execPath, [join(import.meta.dirname, "..", "main.ts"), config], { stdio: "ignore" });
    const exited = once(child, "exit");
    try {
      await until("the server listens", async () => (await statusOf("/healthz")) === 200);
      const token = (await readFile(join(sqlite.directory, "token"), "utf8")).trim();
      const api = createApiCalls(`http://127.0.0.1:${port}`, token);
      const replies = await Promise.all([
        api.call("GET", "/readyz"),
        api.call("GET", provider),
        api.call("PUT", group, { body: { location: "global" } }),
        api.call("GET", `${local}/providers/Applications.Core?${systemVersion}`),
        api.call("GET", "/metrics"),
      ]);
      answers.push(replies.map(({ status }) => status));
    } finally {
      child.kill("SIGTERM");
      await exited;
    }
  }
  assert.deepEqual(answers, [
    [200, 200, 200, 200, 200],
    [200, 200, 200, 200, 200],
  ]);
});
