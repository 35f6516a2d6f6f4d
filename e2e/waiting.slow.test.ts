import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal, objectMember } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { apiVersion, clientOf, registerType, request } from "./support/api.ts";
import { chainProperties, chainType } from "./support/chain-type.ts";
import { databases } from "./support/database.ts";
import type { ServerProcess } from "./support/server-process.ts";

// Operations that wait for operations of the same queues, with next to no slots. Nothing may lock up.
const parents = 1_000;
const chains = 100;
const group = "/planes/radius/local/resourceGroups/test";
const patienceMs = 240_000;

for (const [name, openDatabase] of Object.entries(databases)) {
  it(`${name}: ${parents} parents that wait for a child of the same queue finish with two slots`, async () => {
    await using database = await openDatabase();
    await using server = await database.startServer({ workerServer: { maxOperationConcurrency: 2 } });
    await prepare(server);

    await inBatches(parents, async (index) => {
      await put(server, `${group}/providers/${chainType}/parent-${index}`, { properties: { child: true } });
    });

    const ended = await untilAllEnded(server, 2 * parents);
    assert.deepEqual(
      ended.filter(({ provisioningState }) => provisioningState !== "Succeeded"),
      [],
    );
  });

  it(`${name}: ${chains} chains of deployment, resource, deployment, resource finish with one slot per queue`, async () => {
    await using database = await openDatabase();
    await using server = await database.startServer({
      workerServer: { maxOperationConcurrency: 1 },
      deployments: { maxConcurrentDeployments: 1 },
    });
    await prepare(server);

    await inBatches(chains, async (index) => {
      const id = `${group}/providers/Microsoft.Resources/deployments/chain-${index}`;
      await put(server, id, { properties: { mode: "Incremental", template: chain(`chain-${index}`) } }, "2025-04-01");
    });

    const ended = await untilAllEnded(server, 2 * chains);
    assert.deepEqual(
      ended.filter(({ provisioningState }) => provisioningState !== "Succeeded"),
      [],
    );
    assert.equal(ended.filter(({ links }) => links === 2).length, chains);
  });
}

async function prepare(server: ServerProcess): Promise<void> {
  await clientOf(server).groups.put("test");
  await registerType(server, chainType, chainProperties);
}

function chain(name: string): JsonObject {
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.1-experimental",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    resources: {
      first: {
        import: "radius",
        type: `${chainType}@${apiVersion}`,
        properties: { name, properties: { depth: 1 } },
      },
    },
  };
}

async function put(server: ServerProcess, id: string, body: JsonObject, version = apiVersion): Promise<void> {
  const { status, body: answer } = await request(server, "PUT", id, body, undefined, version);
  assert.ok(status === 200 || status === 201, JSON.stringify(answer));
}

async function inBatches(count: number, work: (index: number) => Promise<void>): Promise<void> {
  const perBatch = 20;
  for (let start = 0; start < count; start += perBatch) {
    await Promise.all(Array.from({ length: Math.min(perBatch, count - start) }, (_, index) => work(start + index)));
  }
}

/** The properties of all links, once there are so many and none of them is worked on. */
async function untilAllEnded(server: ServerProcess, count: number): Promise<readonly JsonObject[]> {
  let seen = "";
  return await until(
    () => `${count} links are there and have ended; ${seen}`,
    async () => {
      await sleep(500); // asked every few milliseconds, a list of thousands would slow the server down
      const resources = await clientOf(server).resources.list(`${group}/providers/${chainType}`, { apiVersion });
      const all = resources.map((resource) => objectMember(resource, "properties"));
      const open = all.filter(({ provisioningState }) => !isTerminal(String(provisioningState)));
      seen = `${all.length} are there, ${open.length} of them still worked on`;
      const hasFailed = all.some(({ provisioningState }) => provisioningState === "Failed");
      return ((all.length >= count && open.length === 0) || hasFailed) && all;
    },
    { timeoutMs: patienceMs },
  );
}
