// States of recipes, as Terraform's http backend reaches them through a whole server.
import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { after, before, it } from "node:test";
import type { ModuleFactory } from "@rad/modules";
import type { Store } from "@rad/store";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

const key = "a".repeat(40);
const token = "token-of-the-run";
const authorization = `Basic ${btoa(`${key}:${token}`)}`;
const state = JSON.stringify({ version: 4, serial: 1, lineage: "line", resources: [] });

let server: TestServer;
let store: Store;
const access: ModuleFactory = {
  name: "access",
  create: (parts) => {
    store = parts.store;
    return {};
  },
};

before(async () => {
  server = await startTestServer({ modules: [access] });
  const body = {
    state: "running",
    runId: "run",
    resourceId: "/planes/radius/local/resourceGroups/g/providers/Example.Stores/things/a",
    backend: { backend: "http", name: "mine" },
    tokenHash: hash("sha256", token),
  };
  const input = {
    id: `/system/terraformRuns/${key}`,
    type: "System.Terraform/runs",
    apiVersion: "1",
    body,
    secrets: {},
  };
  await store.write({ document: { kind: "put", input, expect: "absent" } });
});
after(async () => await server[Symbol.asyncDispose]());

async function send(
  method: string,
  path: string,
  options: { body?: string; authorization?: string } = {},
): Promise<Response> {
  return await fetch(`${server.url}/terraform/state/${path}`, {
    method,
    headers: options.authorization === undefined ? {} : { Authorization: options.authorization },
    ...(options.body === undefined ? {} : { body: options.body }),
  });
}

it("a run locks, saves, reads and unlocks its state with its own token", async () => {
  const lock = JSON.stringify({ ID: "lock-1", Who: "me" });

  assert.equal((await send("GET", "mine", { authorization })).status, 404);
  assert.equal((await send("LOCK", "mine", { authorization, body: lock })).status, 200);
  assert.equal((await send("POST", "mine", { authorization, body: state })).status, 409); // without the lock
  assert.equal((await send("POST", "mine?ID=lock-1", { authorization, body: state })).status, 200);
  assert.equal((await send("UNLOCK", "mine", { authorization, body: lock })).status, 200);

  const found = await send("GET", "mine", { authorization });
  assert.deepEqual([found.status, await found.text()], [200, state]);
});

it("a state is open to nobody else: not without a token, not with an administrator's, not by another name", async () => {
  assert.equal((await send("GET", "mine")).status, 401);
  assert.equal((await send("GET", "mine", { authorization: `Bearer ${server.token}` })).status, 401);
  assert.equal((await send("GET", "other", { authorization })).status, 401);
  assert.equal((await send("GET", "mine/parts", { authorization })).status, 404);
});
