// What the audit log has of changes that are made within a request.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { ApiError, type JsonObject } from "@rad/core";
import type { ResourceHandler } from "@rad/resources";
import { deploymentsVersion, radiusResource, radiusTemplate } from "../testing/templates.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { auditOf } from "./support/audit.ts";

const group = `${local}/resourcegroups/trail`;
const gate = Promise.withResolvers<void>();

/** Synchronous types with effects outside of the store. */
const effective: ResourceHandler = {
  put: async ({ properties }) => {
    if (properties["fails"] === true) {
      throw new ApiError("BadRequest", "It does not work.");
    }
  },
  delete: async () => {},
  actions: {
    poke: async () => ({}),
    break: async () => {
      throw new ApiError("Conflict", "It broke.");
    },
  },
};

const waiting: ResourceHandler = { put: () => gate.promise };

let server: TestServer;
before(async () => {
  server = await startTestServer({ handlers: { "Radius.Core/settings": effective, "Test.Trail/works": waiting } });
  await server.register("Radius.Core", { settings: { type: "object", properties: { fails: { type: "boolean" } } } });
  await server.register("Test.Trail", { works: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

const setting = (name: string, rest = ""): string =>
  `${group}/providers/Radius.Core/settings/${name}${rest}?api-version=2025-01-01`;
const deployment = (name: string, rest = ""): string =>
  `${group}/providers/Microsoft.Resources/deployments/${name}${rest}?${deploymentsVersion}`;

it("a handler's change has one intent and one outcome", async () => {
  assert.deepEqual(await trail("PUT", setting("fine"), { location: "global", properties: {} }), [
    200,
    "intent",
    "outcome Succeeded 200",
  ]);
  assert.deepEqual(await trail("POST", setting("fine", "/poke")), [200, "intent", "outcome Succeeded 200"]);
  assert.deepEqual(await trail("DELETE", setting("fine")), [200, "intent", "outcome Succeeded 200"]);
});

it("a handler that fails has failed, and was not refused", async () => {
  await trail("PUT", setting("there"), { location: "global", properties: {} });

  assert.deepEqual(await trail("PUT", setting("bad"), { location: "global", properties: { fails: true } }), [
    400,
    "intent",
    "outcome Failed 400",
  ]);
  assert.deepEqual(await trail("POST", setting("there", "/break")), [409, "intent", "outcome Failed 409"]);
});

it("what is refused before a handler runs is no intent", async () => {
  assert.deepEqual(await trail("PUT", setting("bad"), { properties: 1 }), [
    400,
    "refusal HttpRequestPayloadAPISpecValidationFailed 400",
  ]);
  assert.deepEqual(await trail("POST", setting("absent", "/poke")), [404, "refusal NotFound 404"]);
});

it("a change whose URL cannot be read is a refusal like any other", async () => {
  assert.deepEqual(await trail("PUT", `/planes/%zz?${systemVersion}`), [400, "refusal BadRequest 400"]);
  assert.deepEqual(await trail("DELETE", `${setting("there")}&%zz`), [400, "refusal BadRequest 400"]);
});

it("cancelling and deleting a deployment are one record each way, and none when refused", async () => {
  const template = radiusTemplate({ resources: { w: radiusResource("Test.Trail/works@2025-01-01", "w") } });
  const started = await server.call("PUT", deployment("d"), { body: { properties: { template } } });

  assert.deepEqual(await trail("DELETE", deployment("d")), [409, "refusal DeploymentActive 409"]);
  assert.deepEqual(await trail("DELETE", `${group}?${systemVersion}`), [409, "refusal Conflict 409"]);
  assert.deepEqual(await trail("POST", deployment("d", "/cancel")), [204, "intent", "outcome Succeeded 204"]);
  gate.resolve();
  await server.settle(started);
  assert.deepEqual(await trail("POST", deployment("d", "/cancel")), [409, "refusal Conflict 409"]);
  assert.deepEqual(await trail("DELETE", deployment("d")), [200, "intent", "outcome Succeeded 200"]);
});

it("deleting a group with its history is one record each way", async () => {
  const other = `${local}/resourcegroups/trail-of-history`;
  await server.call("PUT", `${other}?${systemVersion}`, { body: { location: "global" } });
  const id = `${other}/providers/Microsoft.Resources/deployments/d?${deploymentsVersion}`;
  const template = radiusTemplate({ outputs: { one: { type: "int", value: 1 } }, resources: {} });
  await server.settle(await server.call("PUT", id, { body: { properties: { template } } }));

  assert.deepEqual(await trail("DELETE", `${other}?${systemVersion}`), [200, "intent", "outcome Succeeded 200"]);
  assert.equal((await server.call("GET", id)).status, 404);
});

let requests = 0;

/** The status of a request and what the audit log says of it by then. */
async function trail(method: string, path: string, body?: JsonObject): Promise<readonly (string | number)[]> {
  requests += 1;
  const correlationId = `trail-${requests}`;
  const headers = { "x-ms-correlation-request-id": correlationId };
  const { status }: Reply = await server.call(method, path, { headers, ...(body && { body }) });
  const records = await auditOf(server, correlationId);
  return [
    status,
    ...records.map(({ phase, result, status: answered }) =>
      [phase, result, answered].filter((part) => part !== undefined).join(" "),
    ),
  ];
}
