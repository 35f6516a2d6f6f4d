import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import type { ProgressItem } from "../progress/progress-item.ts";
import { type Proxy, startProxy } from "../testing/proxy.ts";
import { startControlPlane, type TestControlPlane } from "../testing/sandbox.ts";
import { followDeployment } from "./follow-deployment.ts";

const group = "/planes/radius/local/resourceGroups/dev";
const collection = `${group}/providers/Microsoft.Resources/deployments`;

const gates = new Map<string, PromiseWithResolvers<void>>();

function gateOf(name: string): PromiseWithResolvers<void> {
  const gate = gates.get(name) ?? Promise.withResolvers<void>();
  gates.set(name, gate);
  return gate;
}

const handlers: NonNullable<Parameters<typeof startControlPlane>[0]>["handlers"] = {
  "Test.Follow/works": {
    put: async (context) => {
      if (context.id.name.startsWith("held")) {
        const stopped = once(context.signal, "abort").then(() => context.signal.throwIfAborted());
        await context.step("held back", () => Promise.race([gateOf(context.id.name).promise, stopped]));
      }
    },
  },
};

async function start(directory?: string): Promise<TestControlPlane> {
  return await startControlPlane({
    handlers,
    overrides: { operations: { drainSeconds: 1 } },
    ...(directory === undefined ? {} : { directory }),
  });
}

async function prepare(server: TestControlPlane): Promise<void> {
  await server.register("Test.Follow", { works: {} });
  await server.call("PUT", `${group}?api-version=2023-10-01-preview`, { body: { location: "global" } });
}

const template = (resources: JsonObject): JsonObject => ({
  $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  languageVersion: "2.1-experimental",
  contentVersion: "1.0.0.0",
  imports: { radius: { provider: "Radius", version: "latest" } },
  resources,
});

const work = (name: string, more: JsonObject = {}): JsonObject => ({
  import: "radius",
  type: "Test.Follow/works@2025-01-01",
  properties: { name, location: "global", properties: {} },
  ...more,
});

const mixed = (name: string): JsonObject =>
  template({
    first: work(`${name}-first`),
    module: {
      type: "Microsoft.Resources/deployments",
      apiVersion: "2022-09-01",
      name: `${name}-module`,
      properties: {
        expressionEvaluationOptions: { scope: "inner" },
        mode: "Incremental",
        parameters: {},
        template: template({ inner: work(`${name}-inner`) }),
      },
    },
    held: work(`held-${name}`, { dependsOn: ["module"] }),
  });

/** Deploys through the proxy, and follows. */
async function deploy(proxy: Proxy, token: string, name: string, body: JsonObject, signal?: AbortSignal) {
  const client = createClient({ endpoint: proxy.url, token });
  const id = `${collection}/${name}`;
  const started = await client.deployments.start(id, { properties: { mode: "Incremental", template: body } });
  const shown: (readonly ProgressItem[])[] = [];
  const before = proxy.requests.length;
  const outages: boolean[] = [];
  const following = followDeployment(client, started, {
    onProgress: (items) => shown.push(items),
    onOutage: (isAway) => outages.push(isAway),
    signal,
  });
  return {
    following,
    shown,
    outages,
    /** What following has asked for. */
    requests: () =>
      proxy.requests
        .slice(before)
        .map((line) => line.replace(/.*\/(deployments|operationStatuses)\/[^/]+/i, "$1").toLowerCase()),
  };
}

const lines = (items: readonly ProgressItem[]): string[] =>
  items.map(({ depth, name, state }) => `${depth} ${name} ${state}`).toSorted();

const isHeld = (shown: readonly (readonly ProgressItem[])[], name: string): boolean =>
  shown.at(-1)?.some((item) => item.name === `held-${name}`) === true;

for (const [what, change, name] of [
  ["by events", undefined, "events"],
  ["by looking where a proxy takes the wish for events away", "application/json", "json"],
] as const) {
  test(`a deployment with a module is followed ${what}`, async () => {
    await using server = await start();
    await prepare(server);
    await using proxy = await startProxy(server.url, (headers) => ({
      ...headers,
      ...(change === undefined ? {} : { accept: change }),
    }));

    const { following, shown, requests } = await deploy(proxy, server.token, name, mixed(name));
    await until("it is held", () => isHeld(shown, name));
    gateOf(`held-${name}`).resolve();
    const { deployment, items } = await following;

    assert.equal(deployment.state, "Succeeded");
    const expected = [`0 ${name}-first`, `0 ${name}-module`, `0 held-${name}`, `1 ${name}-inner`];
    assert.deepEqual(lines(items), expected.map((line) => `${line} Completed`).toSorted());
    assert.deepEqual(lines(shown.at(-1) ?? []), lines(items));
    assert.equal(requests().filter((path) => path === "deployments/operations").length > 0, change !== undefined);
    if (change === undefined) {
      assert.deepEqual(requests(), ["operationstatuses", "deployments"]);
    }
  });
}

test("a deployment of a hundred resources takes as many requests as one of three", async () => {
  await using server = await start();
  await prepare(server);
  await using proxy = await startProxy(server.url);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`r${index}`, work(`many-${index}`)]));

  const { following, requests, shown } = await deploy(proxy, server.token, "many", template(many));
  const { items } = await following;

  assert.equal(items.length, 100);
  const asked = requests().filter((path) => path !== "operationstatuses");
  assert.deepEqual(asked, ["deployments"]);
  assert.ok(shown.length < 100, `${shown.length} updates`);
});

test("steps of resources are shown while events are followed", async () => {
  await using server = await start();
  await prepare(server);
  await using proxy = await startProxy(server.url);

  const { following, shown } = await deploy(proxy, server.token, "steps", mixed("steps"));
  await until("the step is shown", () => shown.at(-1)?.some(({ steps }) => steps[0]?.name === "held back") === true);
  gateOf("held-steps").resolve();
  const { items } = await following;

  assert.ok(items.every(({ steps }) => steps.length === 0));
});

test("a server that is restarted meanwhile is followed on", async () => {
  const directory = await mkdtemp(join(tmpdir(), "rad-cli-test-"));
  const first = await start(directory);
  await prepare(first);
  await using proxy = await startProxy(first.url);

  const { following, shown, outages, requests } = await deploy(proxy, first.token, "again", mixed("again"));
  await until("it is held", () => isHeld(shown, "again"));
  proxy.target = undefined;
  await first[Symbol.asyncDispose]();
  await until("the outage is told", () => outages.at(-1) === true);
  await using second = await start(directory);
  proxy.target = second.url;
  gateOf("held-again").resolve();
  const { deployment, items } = await following;

  assert.equal(deployment.state, "Succeeded");
  assert.equal(outages.at(-1), false);
  assert.equal(items.length, 4);
  assert.ok(items.every(({ state }) => state === "Completed"));
  assert.ok(!requests().includes("deployments/operations"));
  await rm(directory, { recursive: true });
});

test("a signal ends the following", async () => {
  await using server = await start();
  await prepare(server);
  await using proxy = await startProxy(server.url);
  const interrupt = new AbortController();

  const { following, shown } = await deploy(proxy, server.token, "stop", mixed("stop"), interrupt.signal);
  await until("it is held", () => isHeld(shown, "stop"));
  interrupt.abort(new Error("SIGINT"));

  await assert.rejects(following, /SIGINT/);
  gateOf("held-stop").resolve();
});
