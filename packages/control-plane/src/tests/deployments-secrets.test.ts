// What is secure in a template is seen by the resources it is for, and by nobody else.
import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { ApiError, type JsonObject } from "@rad/core";
import type { ResourceHandler } from "@rad/resources";
import { findInFiles } from "../testing/find-in-files.ts";
import { deploymentsVersion, moduleResource, radiusResource, radiusTemplate } from "../testing/templates.ts";
import { local, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { auditText } from "./support/audit.ts";

const group = `${local}/resourcegroups/secretive`;
const canary = "canary-7f3d91c0";
const fromAction = "canary-action-55aa";
const works = "Test.Secret/works@2025-01-01";

const received: string[] = [];
const telling: ResourceHandler = {
  put: async (context) => {
    const secrets = JSON.stringify(await context.secrets());
    received.push(secrets);
    if (context.properties["fails"] === true) {
      throw new ApiError("BadRequest", `cannot log in with ${secrets}`);
    }
  },
  actions: { listSecrets: async () => ({ password: fromAction }) },
};

let directory: string;
let server: TestServer;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-secret-deployment-"));
  server = await startTestServer({ directory, handlers: { "Test.Secret/works": telling } });
  const token = { type: "string", "x-radius-sensitive": true };
  await server.register("Test.Secret", {
    works: {
      type: "object",
      properties: {
        token,
        fails: { type: "boolean" },
        env: { type: "object", additionalProperties: { type: "object", properties: { value: { type: "string" } } } },
      },
    },
  });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const url = (name: string, action = ""): string =>
  `${group}/providers/Microsoft.Resources/deployments/${name}${action}?${deploymentsVersion}`;

const inner = radiusTemplate({
  parameters: { token: { type: "secureString" } },
  resources: { work: radiusResource(works, "inside", { properties: { token: "[parameters('token')]" } }) },
  outputs: { handed: { type: "secureString", value: "[concat(parameters('token'), '-out')]" } },
});
const template = radiusTemplate({
  parameters: { token: { type: "secureString" } },
  resources: {
    part: moduleResource("secret-part", inner, { parameters: { token: { value: "[parameters('token')]" } } }),
    user: radiusResource(works, "outside", {
      properties: { token: "[listOutputsWithSecureValues('part', '2022-09-01').handed]" },
      dependsOn: ["part"],
    }),
    asker: radiusResource(works, "asker", {
      properties: { token: "[listSecrets('user', '2025-01-01').password]" },
      dependsOn: ["user"],
    }),
    broken: radiusResource(works, "broken", { properties: { token: "[parameters('token')]", fails: true } }),
  },
  outputs: { token: { type: "secureString", value: "[parameters('token')]" } },
});
const body = { properties: { mode: "Incremental", template, parameters: { token: { value: canary } } } };

it("secure values reach the resources, and are shown by no answer", async () => {
  const whatIf = await server.call("POST", url("secret", "/whatIf"), { body });
  const validated = await server.call("POST", url("secret", "/validate"), { body });
  const accepted = await server.call("PUT", url("secret"), { body });
  const status = await server.settle(accepted);
  const answers = [whatIf.text, validated.text, accepted.text, JSON.stringify(status)];
  for (const name of ["secret", "secret-part"]) {
    answers.push((await server.call("GET", url(name))).text);
    answers.push((await server.call("GET", url(name, "/operations"))).text);
    answers.push((await server.call("POST", url(name, "/exportTemplate"))).text);
  }
  const again = await server.call("POST", url("secret", "/whatIf"), { body });
  answers.push(again.text, await auditText(server));

  assert.equal(whatIf.status, 200, whatIf.text);
  assert.equal(status["status"], "Failed");
  assert.ok(
    received.some((text) => text.includes(`${canary}-out`)),
    "an output of the module arrived",
  );
  assert.ok(
    received.some((text) => text.includes(fromAction)),
    "an action's answer arrived",
  );
  for (const answer of answers) {
    assert.doesNotMatch(answer, /canary/);
  }
});

it("nothing on disk holds them in clear", async () => {
  assert.deepEqual(await findInFiles(directory, "canary"), []);
  assert.notDeepEqual(await readdir(directory), []);
});

it("what a deployment stores of its parameters has types only", async () => {
  const read = await server.call("GET", url("secret"));

  const { parameters } = read.body["properties"] as JsonObject;
  assert.deepEqual(parameters, { token: { type: "SecureString" } });
});

it("the template of a module that sees the values around it is exported as it is written", async () => {
  const token = "[toUpper(concat(parameters('token'), listSecrets('outer', '2025-01-01').password))]";
  const { properties, ...module } = moduleResource(
    "sees-all",
    radiusTemplate({ resources: { work: radiusResource(works, "seen", { properties: { token } }) } }),
    { dependsOn: ["outer"] },
  );
  const { parameters: _, ...rest } = properties as JsonObject;
  const around = radiusTemplate({
    parameters: { token: { type: "secureString" } },
    resources: {
      outer: radiusResource(works, "outer"),
      inner: { ...module, properties: { ...rest, expressionEvaluationOptions: { scope: "outer" } } },
    },
  });
  const sent = { properties: { ...body.properties, template: around } };
  const status = await server.settle(await server.call("PUT", url("around"), { body: sent }));
  const exported = await server.call("POST", url("sees-all", "/exportTemplate"));

  assert.equal(status["status"], "Succeeded");
  assert.ok(received.some((secrets) => secrets.includes(canary.toUpperCase())));
  assert.ok(exported.text.includes(token));
  assert.ok(!/canary/i.test(exported.text), exported.text);
});

/** `env` is nothing special to the schema. */
const environment = (parameter: string): JsonObject => ({
  env: { PASSWORD: { value: `[parameters('${parameter}')]` }, LEVEL: { value: "info" } },
});

it("a value made of a secure parameter is sealed wherever it ends up, also through an ordinary parameter", async () => {
  const plain = radiusTemplate({
    parameters: { text: { type: "string" } },
    resources: { work: radiusResource(works, "plain-inside", { properties: environment("text") }) },
  });
  const around = radiusTemplate({
    parameters: { token: { type: "secureString" } },
    resources: {
      work: radiusResource(works, "plain-outside", { properties: environment("token") }),
      part: moduleResource("plain-part", plain, { parameters: { text: { value: "[parameters('token')]" } } }),
    },
  });
  const sent = (value: string): { body: JsonObject } => ({
    body: { properties: { mode: "Incremental", template: around, parameters: { token: { value } } } },
  });

  const status = await server.settle(await server.call("PUT", url("plain"), sent(canary)));
  const same = await server.call("POST", url("plain", "/whatIf"), sent(canary));
  const other = await server.call("POST", url("plain", "/whatIf"), sent(`${canary}-changed`));

  const change = "/properties/env/PASSWORD/value";
  assert.equal(status["status"], "Succeeded");
  assert.equal(received.filter((secrets) => secrets === JSON.stringify({ [change]: canary })).length, 2);
  assert.deepEqual(changeTypes(same.body), ["NoChange", "NoChange"]);
  assert.deepEqual(changeTypes(other.body), ["Modify", "Modify"]);
  for (const name of ["plain-outside", "plain-inside"]) {
    const read = await server.call("GET", `${group}/providers/Test.Secret/works/${name}?api-version=2025-01-01`);
    const { env } = read.body["properties"] as JsonObject;
    assert.deepEqual(env, { PASSWORD: { value: null }, LEVEL: { value: "info" } });
  }
  for (const text of [same.text, other.text, (await server.call("GET", url("plain-part"))).text]) {
    assert.doesNotMatch(text, /canary/);
  }
  assert.deepEqual(await findInFiles(directory, "canary"), []);
});

it("a tag cannot be made of a secret", async () => {
  const tagged = radiusTemplate({
    parameters: { token: { type: "secureString" } },
    resources: { work: radiusResource(works, "tagged", { tags: { made: "[base64(parameters('token'))]" } }) },
  });
  const given = { properties: { mode: "Incremental", template: tagged, parameters: { token: { value: canary } } } };

  const status = await server.settle(await server.call("PUT", url("tagged"), { body: given }));
  const read = await server.call("GET", `${group}/providers/Test.Secret/works/tagged?api-version=2025-01-01`);

  assert.equal(status["status"], "Failed");
  assert.match(JSON.stringify(status["error"]), /"InvalidTemplate"/);
  assert.equal(read.status, 404);
});

function changeTypes(whatIf: JsonObject): unknown[] {
  const { changes } = whatIf["properties"] as { changes: { changeType: string }[] };
  return changes.map(({ changeType }) => changeType);
}

it("neither a warning nor an error names a member by what is made of a secret", async () => {
  const key = "toUpper(parameters('token'))";
  const dropped = radiusResource("Applications.Core/environments@2023-10-01-preview", "named", {});
  const made = {
    ...(dropped["properties"] as JsonObject),
    properties: `[createObject('compute', createObject('kind', 'kubernetes', 'namespace', 'n'), ${key}, 1)]`,
  };
  const refused = radiusResource(works, "named", { properties: { env: `[createObject(${key}, 1)]` as never } });
  const resources = { a: { ...dropped, properties: made }, b: refused };
  const template = radiusTemplate({ parameters: { token: { type: "secureString" } }, resources });
  const sent = { properties: { mode: "Incremental", template, parameters: { token: { value: canary } } } };

  const whatIf = await server.call("POST", url("named", "/whatIf"), { body: sent });
  const status = await server.settle(await server.call("PUT", url("named"), { body: sent }));
  const operations = await server.call("GET", url("named", "/operations"));

  assert.match(JSON.stringify(status["error"]), /properties\.env\.\[redacted\] in body must be an object/);
  assert.match(operations.text, /were not stored: properties\.\[redacted\]/);
  for (const text of [whatIf.text, JSON.stringify(status), operations.text]) {
    assert.doesNotMatch(text, /canary/i);
  }
});

const faulty: readonly (readonly [string, JsonObject])[] = [
  ["a name", { a: radiusResource(works, "[string(int(parameters('token')))]") }],
  ["a body", { a: radiusResource(works, "faulty", { properties: { token: "[string(int(parameters('token')))]" } }) }],
  [
    "a value that does not fit",
    { a: radiusResource(works, "faulty", { properties: { fails: "[parameters('token')]" } }) },
  ],
  ["a type", { a: radiusResource("[concat('Test.Secret/', parameters('token'))]", "faulty") }],
  ["a name that is no name", { a: radiusResource(works, "[concat(parameters('token'), '/x')]") }],
];
for (const [where, resources] of faulty) {
  it(`an error over ${where} does not show them`, async () => {
    const broken = radiusTemplate({ parameters: { token: { type: "secureString" } }, resources });
    const given = { properties: { template: broken, parameters: { token: { value: canary } } } };

    const reply = await server.call("PUT", url("faulty"), { body: given });
    const status = reply.headers.has("azure-asyncoperation") ? await server.settle(reply) : {};
    const whatIf = await server.call("POST", url("faulty", "/whatIf"), { body: given });
    const validated = await server.call("POST", url("faulty", "/validate"), { body: given });

    assert.notEqual(status["status"], "Succeeded");
    for (const text of [reply.text, JSON.stringify(status), whatIf.text, validated.text]) {
      assert.doesNotMatch(text, /canary/);
    }
  });
}
