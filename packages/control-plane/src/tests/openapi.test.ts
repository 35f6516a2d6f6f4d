// The OpenAPI document of a server, held against validators that know nothing of this project.
import assert from "node:assert/strict";
import { after, before, it, mock } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { isJsonObject, type JsonObject, objectMember } from "@rad/core";
import { RouteTable } from "../http/route-table.ts";
import { statePath } from "../terraform/state-routes.ts";
import { startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";

const strange: JsonObject = {
  type: "object",
  $defs: { part: { type: ["string", "null"] } },
  properties: {
    anything: { type: "any" },
    kind: { type: "enum", enum: ["a", "b"] },
    part: { $ref: "#/$defs/part", readOnly: true },
    list: { type: "array" },
    size: { type: "number", exclusiveMinimum: 0 },
    secret: { type: "string", "x-radius-sensitive": true },
    either: { oneOf: [{ type: "string" }, { type: "integer" }] },
    several: { type: ["string", "integer", "null"] },
  },
  required: [],
};

let server: TestServer;
let document: JsonObject;
let text: string;

/** Every URL outside the id grammar, of the server and its modules, as they add them at the start. */
const routes = mock.method(RouteTable.prototype, "add");

before(async () => {
  server = await startTestServer();
  await server.register("Test.OpenApi", {
    boards: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
    strange,
    free: {},
  });
  const reply = await server.call("GET", "/openapi.json");
  ({ text, body: document } = reply);
});
after(() => server[Symbol.asyncDispose]());

it("the document has the form that the published schema of OpenAPI 3.0 asks for", async () => {
  const validator = new Validator();

  const { valid, errors } = await validator.validate(JSON.parse(text) as Record<string, unknown>);

  assert.equal(validator.version, "3.0");
  assert.deepEqual({ valid, errors }, { valid: true, errors: undefined });
});

it("the document passes the strict rules of an independent linter", async () => {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      "operation-operationId-unique": "error",
      "operation-operationId-url-safe": "error",
      "operation-operationId": "error",
      "operation-summary": "error",
      "operation-tag-defined": "error",
      "operation-4xx-response": "error",
      "no-invalid-media-type-examples": "error",
      "no-invalid-schema-examples": "error",
      "no-invalid-parameter-examples": "error",
      "no-unused-components": "error",
    },
  });

  const problems = await lintFromString({ source: text, config });

  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    [],
  );
});

it("every operation has a summary, a tag, and errors of both classes in the shape of the API", () => {
  const responses = objectMember(objectMember(document, "components"), "responses");
  for (const { name, operation } of operations()) {
    const codes = Object.keys(objectMember(operation, "responses"));
    assert.match(String(operation["summary"]), /^[A-Z]\w+ /, name);
    assert.equal((operation["tags"] as unknown[]).length, 1, name);
    assert.ok(
      codes.some((code) => code.startsWith("4")),
      name,
    );
    assert.ok(
      codes.some((code) => code.startsWith("5")),
      name,
    );
  }
  for (const [name, response] of Object.entries(responses)) {
    assert.match(JSON.stringify(response), /"#\/components\/schemas\/ErrorResponse"/, name);
  }
});

it("only what needs no token is declared open, and what is text as text", async () => {
  const open = operations().filter(({ operation }) => Array.isArray(operation["security"]));

  assert.deepEqual(open.map(({ name }) => name).toSorted(), [
    "get /",
    "get /healthz",
    "get /openapi/v2",
    "get /openapi/v3",
    "get /readyz",
    "get /runtimes",
    "get /version",
  ]);
  for (const { name, operation } of open) {
    const reply = await server.call("GET", name.slice("get ".length), { token: null });
    const declared = objectMember(objectMember(objectMember(operation, "responses"), "200"), "content");
    const [type] = (reply.headers.get("content-type") ?? "").split(";");
    assert.equal(reply.status, 200, name);
    assert.ok(Object.hasOwn(declared, type ?? ""), `${name} answers ${type}`);
  }
});

it("every route of the server and its modules is in the document, with all its methods", () => {
  const documented = operations().map(({ name }) => name);
  const declared = routes.mock.calls
    .map(({ arguments: [, route] }) => route)
    .filter(({ path }) => path !== `${statePath}/*`) // Terraform's own protocol, with LOCK, which OpenAPI cannot say
    .flatMap(({ method, path }) => [method].flat().map((verb) => `${verb.toLowerCase()} ${path === "" ? "/" : path}`));

  const missing = declared.filter((name) =>
    name.endsWith("/*") ? !documented.some((one) => one.startsWith(name.slice(0, -1))) : !documented.includes(name),
  );

  assert.ok(declared.includes("post /recipes/mirror-list/*") && declared.includes("get /audit"), declared.join("\n"));
  assert.deepEqual(missing, []);
});

it("what-if and mirror lists are documented as JSON and as streams of events", () => {
  const streamed = operations().filter(({ operation }) => JSON.stringify(operation).includes('"text/event-stream"'));

  assert.deepEqual(
    streamed.map(({ name }) => name.split("/").at(-1)),
    ["{operationId}", "whatIf", "{environmentName}", "{environmentName}"],
  );
});

it("every list and every path without parameters answers as it is declared", async () => {
  const at = { planeName: "local", resourceGroupName: "none", resourceProviderName: "Test.OpenApi" };
  for (const { name, operation } of operations()) {
    const [method = "", path = ""] = name.split(" ");
    const url = Object.entries(at).reduce((url, [key, value]) => url.replace(`{${key}}`, value), path);
    if (method === "get" && !url.includes("{")) {
      const versions = /"name":"api-version".*?"enum":\["([^"]+)"/.exec(JSON.stringify(operation));
      const { status } = await server.call("GET", `${url}${versions === null ? "" : `?api-version=${versions[1]}`}`);
      const declared = Object.keys(objectMember(operation, "responses"));
      assert.ok(declared.includes(String(status)), `${name} answers ${status}`);
      assert.ok(status < 300 || url.includes("/none"), `${name} answers ${status}`);
    }
  }
});

it("the example of every PUT is accepted by its type's own check", async () => {
  await server.call("PUT", `/planes/radius/local/resourceGroups/openapi?${systemVersion}`, {
    body: { location: "global" },
  });
  const puts = operations().filter(({ name }) =>
    /^put .*\/resourcegroups\/\{resourceGroupName\}\/providers\//.test(name),
  );

  assert.ok(puts.length > 30);
  for (const { name, operation } of puts.filter(({ name }) => !name.includes("deployments"))) {
    const path = name.slice("put ".length).replace("{planeName}", "local").replace("{resourceGroupName}", "openapi");
    const { example } = objectMember(
      objectMember(objectMember(operation, "requestBody"), "content"),
      "application/json",
    );
    const [, version = ""] = /"name":"api-version".*?"enum":\["([^"]+)"/.exec(JSON.stringify(operation)) ?? [];
    assert.ok(isJsonObject(example), name);
    const reply = await server.call("PUT", `${path.replace("{name}", "example")}?api-version=${version}`, {
      body: example,
    });
    assert.notEqual(reply.code, "HttpRequestPayloadAPISpecValidationFailed", `${name}: ${reply.text}`);
  }
});

it("types that users registered have their paths, tag and schemas", () => {
  const paths = objectMember(document, "paths");
  const schemas = objectMember(objectMember(document, "components"), "schemas");
  const place = "/planes/radius/{planeName}/resourcegroups/{resourceGroupName}/providers/Test.OpenApi/boards/{name}";

  assert.deepEqual(objectMember(schemas, "Test.OpenApi_boards_2025-01-01")["properties"], {
    ...objectMember(objectMember(schemas, "Test.OpenApi_boards_2025-01-01"), "properties"),
    title: { type: "string" },
  });
  const put = objectMember(objectMember(paths, place), "put");
  assert.equal(put["operationId"], "Test.OpenApi_boards_createOrUpdate");
  assert.deepEqual(put["tags"], ["Test.OpenApi"]);
  assert.ok((document["tags"] as JsonObject[]).some(({ name }) => name === "Test.OpenApi"));
});

it("actions of built-in types are operations", () => {
  const ids = operations().map(({ operation }) => operation["operationId"]);

  assert.ok(ids.includes("Applications.Core_secretStores_listSecrets"));
});

function operations(): readonly { readonly name: string; readonly operation: JsonObject }[] {
  const verbs = new Set(["get", "put", "patch", "post", "delete", "head"]);
  return Object.entries(objectMember(document, "paths")).flatMap(([path, item]) =>
    Object.entries(item as JsonObject)
      .filter(([verb]) => verbs.has(verb))
      .map(([verb, operation]) => ({ name: `${verb} ${path}`, operation: operation as JsonObject })),
  );
}
