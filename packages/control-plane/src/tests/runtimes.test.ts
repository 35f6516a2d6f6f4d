import assert from "node:assert/strict";
import { it } from "node:test";
import { startTestServer } from "../testing/index.ts";

it("/runtimes names the types that something is done for, and no token is needed", async () => {
  const handlers = {
    "Test.Runtimes/workers": { put: async () => {} },
    "Test.Runtimes/lookups": { actions: {} },
  };
  await using server = await startTestServer({ handlers });

  const reply = await server.call("GET", "/runtimes", { token: null });

  assert.equal(reply.status, 200);
  const { value, kubernetes } = JSON.parse(reply.text) as { value: string[]; kubernetes: string };
  assert.deepEqual(
    value.filter((type) => type.startsWith("Test.")),
    ["Test.Runtimes/workers"],
  );
  assert.equal(kubernetes, "folder");
  assert.ok(value.includes("Applications.Core/containers"), "it is deployed to Kubernetes");
  assert.ok(value.includes("Radius.Data/redisCaches"), "recipes make it");
  assert.ok(!value.includes("Radius.Core/recipePacks"), "it is only recorded");
});

it("/runtimes says that objects go to a cluster when the configuration names one", async () => {
  await using server = await startTestServer({ overrides: { kubernetes: { kubeConfig: "/nowhere" } } });

  const reply = await server.call("GET", "/runtimes", { token: null });

  assert.equal((JSON.parse(reply.text) as { kubernetes: string }).kubernetes, "cluster");
});
