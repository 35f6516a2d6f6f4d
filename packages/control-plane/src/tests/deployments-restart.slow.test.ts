// A deployment goes on after its server was stopped or killed, without sending again what was done.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { deploymentsVersion, moduleResource, radiusResource, radiusTemplate } from "../testing/templates.ts";
import { local, type Reply, systemVersion } from "../testing/test-server.ts";
import { type ChildServer, startChildServer } from "./support/child-server.ts";

const group = `${local}/resourcegroups/restarting`;
const works = "Test.Child/works@2025-01-01";
const url = (name: string, action = ""): string =>
  `${group}/providers/Microsoft.Resources/deployments/${name}${action}?${deploymentsVersion}`;

let directory: string;
let signalFile: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-restart-"));
  signalFile = join(directory, "go-on");
});
afterEach(() => rm(directory, { recursive: true }));

function start(): Promise<ChildServer> {
  return startChildServer({
    overrides: {
      server: { port: 0 },
      logging: { level: "error" },
      metricsProvider: { enabled: false },
      operations: { drainSeconds: 0 },
      databaseProvider: { sqlite: { directory } },
    },
  });
}

async function prepare(server: ChildServer): Promise<Reply> {
  await server.register("Test.Child", { works: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  const passing = { waitsFor: directory };
  const inner = radiusTemplate({
    resources: {
      early: radiusResource(works, "early", { properties: passing }),
      slow: radiusResource(works, "slow", { properties: { waitsFor: signalFile }, dependsOn: ["early"] }),
    },
    outputs: { name: { type: "string", value: "[reference('early').name]" } },
  });
  const template = radiusTemplate({
    parameters: { id: { type: "string", defaultValue: "[newGuid()]" } },
    resources: {
      first: radiusResource(works, "first", { properties: passing }),
      part: moduleResource("part", inner, { dependsOn: ["first"] }),
      last: radiusResource(works, "last", { properties: passing, dependsOn: ["part"] }),
    },
    outputs: {
      id: { type: "string", value: "[parameters('id')]" },
      early: { type: "string", value: "[reference('part').outputs.name.value]" },
    },
  });
  return await server.call("PUT", url("main"), { body: { properties: { template } } });
}

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  it(`finishes after ${signal}`, { timeout: 60_000 }, async () => {
    const server = await start();
    const accepted = await prepare(server);
    assert.equal(accepted.status, 201, accepted.text);
    const slow = `${group}/providers/Test.Child/works/slow?api-version=2025-01-01`;
    await until("the slow one is sent", async () => (await server.call("GET", slow)).status === 200);
    const sentBefore = await operationIds(server);
    const planned = parameterOf((await server.call("GET", url("main"))).body);
    await server.end(signal);

    await using again = await start();
    assert.ok(!existsSync(signalFile));
    await writeFile(signalFile, "");
    const body = await until("the deployment has ended", async () => {
      const read = (await again.call("GET", url("main"))).body;
      const { provisioningState } = read["properties"] as JsonObject;
      return provisioningState === "Running" || provisioningState === "Accepted" ? undefined : read;
    });

    const properties = body["properties"] as JsonObject;
    assert.partialDeepStrictEqual(properties, {
      provisioningState: "Succeeded",
      outputs: { early: { value: "early" } },
    });
    assert.deepEqual((properties["outputs"] as JsonObject)["id"], { type: "String", value: planned });
    assert.deepEqual(
      (properties["outputResources"] as JsonObject[]).map(({ id }) => String(id).split("/").at(-1)),
      ["first", "early", "slow", "last"],
    );
    // Each resource was sent once: what it was tracked by is still the same.
    const sentAfter = await operationIds(again);
    assert.deepEqual(
      Object.entries(sentBefore).map(([name]) => [name, sentAfter[name]]),
      Object.entries(sentBefore),
    );
    assert.ok("slow" in sentBefore);
  });
}

async function operationIds(server: ChildServer): Promise<Record<string, unknown>> {
  const ids: Record<string, unknown> = {};
  for (const name of ["main", "part"]) {
    const { body } = await server.call("GET", url(name, "/operations"));
    for (const operation of body["value"] as JsonObject[]) {
      const { targetResource, trackingId } = operation["properties"] as JsonObject;
      if (trackingId !== undefined) {
        ids[String((targetResource as JsonObject)["resourceName"])] = trackingId;
      }
    }
  }
  return ids;
}

function parameterOf(body: JsonObject): unknown {
  const { parameters } = body["properties"] as JsonObject;
  return ((parameters as JsonObject)["id"] as JsonObject)["value"];
}
