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
  assert.deepEqual(JSON.parse(reply.text), { value: ["Test.Runtimes/workers"] });
});
