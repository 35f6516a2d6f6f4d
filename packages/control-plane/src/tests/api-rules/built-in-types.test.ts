// What the schemas of built-in types mean for callers.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";
import { assign, configuredTokens, createIdentity } from "../../testing/identities.ts";

const group = `${local}/resourcegroups/types`;
const v = "api-version=2023-10-01-preview";
const application = `${group}/providers/Applications.Core/applications/app`;
const environment = `${group}/providers/Applications.Core/environments/env`;
const reader = createIdentity("reader");

let server: TestServer;
before(async () => {
  server = await startTestServer({
    recordsOnly: true,
    overrides: {
      authentication: configuredTokens(reader),
      authorization: { assignments: [assign("radius-reader", reader, "/")] },
    },
  });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

const at = (type: string, name: string, action = ""): string => `${group}/providers/${type}/${name}${action}?${v}`;
const put = (type: string, name: string, properties: JsonObject, method = "PUT"): Promise<Reply> =>
  server.call(method, at(type, name), { body: { location: "global", properties } });
const detailsOf = (reply: Reply): unknown[] =>
  ((reply.body["error"] as JsonObject)["details"] as JsonObject[]).map((detail) => detail["message"]);

it("a body that does not fit its type is refused with the path of each problem", async () => {
  const refused = await put("Applications.Core/containers", "wrong", {
    application,
    container: { image: 7, readinessProbe: { kind: "http" }, env: { TOKEN: { value: true } } },
    restartPolicy: "Sometimes",
  });

  assert.deepEqual([refused.status, refused.code], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
  assert.equal((refused.body["error"] as JsonObject)["target"], "applications.core/containers");
  assert.deepEqual(detailsOf(refused), [
    "$.properties.container.image in body must be a string, not an integer",
    '$.properties.container.readinessProbe.kind in body must be one of "httpGet", "tcp", "exec"',
    "$.properties.container.env.TOKEN.value in body must be a string, not a boolean",
    '$.properties.restartPolicy in body must be one of "Always", "OnFailure", "Never"',
  ]);
});

it("members that a type does not have are not stored, and a warning names them", async () => {
  const container = { image: "web:1", imag: "x", ports: { web: { containerPort: 80, potocol: "TCP" } } };

  const stored = await put("Applications.Core/containers", "warned", { application, container, containr: {} });
  await server.settle(stored);
  const patched = await put("Applications.Core/containers", "warned", { application, container }, "PATCH");
  const fine = await put("Applications.Core/containers", "fine", { application, container: { image: "web:1" } });

  assert.equal(
    stored.headers.get("warning"),
    '299 - "The resource type has no such members, they were not stored: ' +
      'properties.container.imag, properties.container.ports.web.potocol, properties.containr"',
  );
  assert.match(patched.headers.get("warning") ?? "", /properties\.container\.imag,/);
  assert.equal(fine.headers.get("warning"), null);
  assert.deepEqual((stored.body["properties"] as JsonObject)["container"], {
    image: "web:1",
    ports: { web: { containerPort: 80, protocol: "TCP" } },
  });
});

it("an extender keeps members of its own", async () => {
  const stored = await put("Applications.Core/extenders", "open", { environment, fromNumber: "555", deep: { a: [1] } });

  const { fromNumber, deep } = stored.body["properties"] as JsonObject;
  assert.deepEqual([fromNumber, deep, stored.headers.get("warning")], ["555", { a: [1] }, null]);
});

const secretTypes: readonly (readonly [type: string, properties: JsonObject, listed: JsonObject])[] = [
  [
    "Applications.Core/secretStores",
    { type: "certificate", data: { "tls.crt": { value: "Y3J0" }, "a/b~c": { value: "eA==", encoding: "base64" } } },
    {
      type: "certificate",
      data: { "tls.crt": { encoding: "base64", value: "Y3J0" }, "a/b~c": { encoding: "base64", value: "eA==" } },
    },
  ],
  [
    "Applications.Core/secretStores",
    { data: { token: { value: "hush" } } },
    { type: "generic", data: { token: { encoding: "raw", value: "hush" } } },
  ],
  ["Applications.Core/extenders", { environment, secrets: { sid: "hush", port: 7 } }, { sid: "hush", port: "7" }],
  [
    "Applications.Datastores/redisCaches",
    { environment, secrets: { password: "hush" } },
    { connectionString: "", password: "hush", url: "" },
  ],
  ["Applications.Datastores/mongoDatabases", { environment }, { connectionString: "", password: "" }],
  [
    "Applications.Datastores/sqlDatabases",
    { environment, secrets: { connectionString: "Server=hush", password: "hush" } },
    { connectionString: "Server=hush", password: "hush" },
  ],
  [
    "Applications.Messaging/rabbitMQQueues",
    { environment, secrets: { uri: "amqp://hush" } },
    { password: "", uri: "amqp://hush" },
  ],
];
for (const [index, [type, properties, listed]] of secretTypes.entries()) {
  it(`listSecrets of ${type} answers ${Object.keys(listed).join(", ")} to those who may ask (${index})`, async () => {
    const stored = await put(type, `secret${index}`, properties);
    if (stored.status === 201) {
      await server.settle(stored);
    }

    const shown = await server.call("GET", at(type, `secret${index}`));
    const answer = await server.call("POST", at(type, `secret${index}`, "/listSecrets"));
    const refused = await server.call("POST", at(type, `secret${index}`, "/LISTSECRETS"), { token: reader.token });

    assert.doesNotMatch(stored.text + shown.text, /hush|Y3J0/);
    assert.deepEqual([answer.status, answer.body], [200, listed]);
    assert.equal(refused.status, 403);
    assert.match(refused.text, /listSecrets\/action/i);
  });
}

it("a resource can be sent back as it was read, which leaves its secrets out", async () => {
  const type = "Applications.Datastores/redisCaches";
  await server.settle(await put(type, "again", { environment, host: "h", secrets: { password: "hush" } }));
  const { body } = await server.call("GET", at(type, "again"));

  const sent = await server.call("PUT", at(type, "again"), { body });
  await server.settle(sent);
  const listed = await server.call("POST", at(type, "again", "/listSecrets"));

  assert.equal(sent.status, 201, sent.text);
  assert.deepEqual(listed.body, { connectionString: "", password: "", url: "" });
});

it("a secret store whose values are kept elsewhere cannot list them", async () => {
  await put("Applications.Core/secretStores", "elsewhere", { data: { key: { valueFrom: { name: "n" } } } });

  const answer = await server.call("POST", at("Applications.Core/secretStores", "elsewhere", "/listSecrets"));

  assert.deepEqual([answer.status, answer.code], [500, "Internal"]);
});

it("the OpenAPI document has the schemas of built-in types with references that lead somewhere", async () => {
  const { body } = await server.call("GET", "/openapi.json");
  const { schemas } = body["components"] as { schemas: JsonObject };
  const containers = schemas["Applications.Core_containers_2023-10-01-preview"] as JsonObject;

  assert.ok(Object.hasOwn(containers["properties"] as JsonObject, "container"));
  const references: string[] = [];
  JSON.stringify(body, (key, value: unknown) => {
    if (key === "$ref") {
      references.push(String(value));
    } else if (key === "mapping" && typeof value === "object" && value !== null) {
      references.push(...Object.values(value).map(String));
    }
    return value;
  });
  assert.ok(references.length > 50);
  for (const reference of references) {
    let target: unknown = body;
    for (const part of reference.slice(2).split("/")) {
      target = Reflect.get(target as object, decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
    }
    assert.equal(typeof target, "object", reference);
  }
});

it("recipes of an environment show plainHttp and templateVersion, which upstream's client reads unchecked", async () => {
  const recipes = {
    "Applications.Datastores/redisCaches": {
      bicep: { templateKind: "bicep", templatePath: "ghcr.io/x/y:1" },
      terraform: { templateKind: "terraform", templatePath: "git::https://example.com/x" },
    },
  };

  const reply = await put("Applications.Core/environments", "with-recipes", {
    compute: { kind: "kubernetes", namespace: "recipes" },
    recipes,
  });

  assert.equal(reply.status, 200, reply.text);
  const stored = (reply.body["properties"] as JsonObject)["recipes"] as typeof recipes;
  assert.deepEqual(stored["Applications.Datastores/redisCaches"], {
    bicep: { templateKind: "bicep", templatePath: "ghcr.io/x/y:1", plainHttp: false },
    terraform: { templateKind: "terraform", templatePath: "git::https://example.com/x", templateVersion: "" },
  });
});
