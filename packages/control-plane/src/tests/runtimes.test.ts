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
  const { value } = JSON.parse(reply.text) as { value: string[] };
  assert.deepEqual(
    value.filter((type) => type.startsWith("Test.")),
    ["Test.Runtimes/workers"],
  );
  assert.ok(value.includes("Applications.Core/containers"), "it is deployed to Kubernetes");
  assert.ok(!value.includes("Radius.Data/redisCaches"), "it is only recorded");
});
