// Deployments over HTTP: what a client sends, follows and reads.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { ApiError, type JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import type { ResourceHandler } from "@rad/resources";
import { deploymentsVersion, moduleResource, radiusResource, radiusTemplate } from "../testing/templates.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";
import { auditOf } from "./support/audit.ts";

const group = `${local}/resourcegroups/deploying`;
const deployments = `${group}/providers/Microsoft.Resources/deployments`;
const settings = "Radius.Core/settings@2025-01-01"; // synchronous
const works = "Test.Deploy/works@2025-01-01"; // asynchronous
const v = "api-version=2025-01-01";

/** Works whose name begins with `held` wait until they are let go. */
const held = new Map<string, PromiseWithResolvers<void>>();
const begun: string[] = [];

const working: ResourceHandler = {
  put: async ({ id, properties }) => {
    begun.push(id.name);
    if (id.name.startsWith("held")) {
      await gateOf(id.name).promise;
    }
    if (properties["fails"] === true) {
      throw new ApiError("BadRequest", "no such luck");
    }
    return { kind: "done", properties: { ...properties, endpoint: `http://${id.name}` } };
  },
  actions: { listSecrets: async ({ id }) => ({ password: `password-of-${id.name}` }) },
};

function gateOf(name: string): PromiseWithResolvers<void> {
  const gate = held.get(name) ?? Promise.withResolvers<void>();
  held.set(name, gate);
  return gate;
}

let server: TestServer;
before(async () => {
  server = await startTestServer({ handlers: { "Test.Deploy/works": working } });
  await server.register("Radius.Core", { settings: {} });
  await server.register("Test.Deploy", {
    works: {
      type: "object",
      properties: {
        size: { type: "integer", default: 1 },
        fails: { type: "boolean" },
        note: { type: "string" },
        token: { type: "string", "x-radius-sensitive": true },
        endpoint: { type: "string", readOnly: true },
      },
    },
  });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

const url = (name: string, action = ""): string => `${deployments}/${name}${action}?${deploymentsVersion}`;
const resource = (type: string, name: string): string => `${group}/providers/${type}/${name}`;

interface Sending {
  readonly parameters?: JsonObject;
  readonly token?: string;
}

function send(name: string, template: JsonObject, { parameters = {}, token }: Sending = {}): Promise<Reply> {
  const body = { properties: { mode: "Incremental", template, parameters } };
  return server.call("PUT", url(name), { body, ...(token === undefined ? {} : { token }) });
}

/** Resolves to the deployment once it has ended. */
async function deploy(name: string, template: JsonObject, sending: Sending = {}): Promise<JsonObject> {
  const reply = await send(name, template, sending);
  await server.settle(reply);
  return propertiesOf((await server.call("GET", url(name))).body);
}

async function operationsOf(name: string): Promise<JsonObject[]> {
  const { body } = await server.call("GET", url(name, "/operations"));
  return (body["value"] as JsonObject[]).map((operation) => propertiesOf(operation));
}

function propertiesOf(body: JsonObject): JsonObject {
  return body["properties"] as JsonObject;
}

function targetsOf(operations: readonly JsonObject[]): string[] {
  return operations.map(({ targetResource }) => String((targetResource as JsonObject)["resourceName"])).sort();
}

it("deploys resources in order and answers with outputs, resources and operations", async () => {
  const template = radiusTemplate({
    parameters: { size: { type: "int" } },
    resources: {
      store: radiusResource(settings, "basic-store", { properties: { kind: "small" } }),
      web: radiusResource(works, "basic-web", {
        properties: { size: "[parameters('size')]", note: "[reference('store').properties.kind]" },
        dependsOn: ["store"],
      }),
    },
    outputs: { endpoint: { type: "string", value: "[reference('web').properties.endpoint]" } },
  });

  const reply = await send("basic", template, { parameters: { size: { value: 3 } } });
  const status = await server.settle(reply);
  const read = await server.call("GET", url("basic"));

  assert.equal(reply.status, 201);
  assert.equal(propertiesOf(reply.body)["provisioningState"], "Accepted");
  assert.match(
    reply.headers.get("azure-asyncoperation") ?? "",
    /Microsoft\.Resources\/locations\/global\/operationStatuses/,
  );
  assert.match(reply.headers.get("location") ?? "", /operationResults/);
  assert.equal(status["status"], "Succeeded");
  const properties = propertiesOf(read.body);
  assert.partialDeepStrictEqual(properties, {
    provisioningState: "Succeeded",
    mode: "Incremental",
    parameters: { size: { type: "Int", value: 3 } },
    outputs: { endpoint: { type: "String", value: "http://basic-web" } },
    outputResources: [
      { id: resource("Radius.Core/settings", "basic-store") },
      { id: resource("Test.Deploy/works", "basic-web") },
    ],
  });
  const web = await server.call("GET", `${resource("Test.Deploy/works", "basic-web")}?${v}`);
  assert.partialDeepStrictEqual(propertiesOf(web.body), { size: 3, note: "small", provisioningState: "Succeeded" });
  const operations = await operationsOf("basic");
  assert.deepEqual(targetsOf(operations), ["basic-store", "basic-web"]);
  assert.ok(operations.every((operation) => operation["provisioningState"] === "Succeeded"));
});

it("answers HEAD, one operation, and what does not exist", async () => {
  await deploy("looked-at", radiusTemplate({ resources: { a: radiusResource(settings, "looked-at") } }));
  const [operation] = (await server.call("GET", url("looked-at", "/operations"))).body["value"] as JsonObject[];
  const { operationId } = operation ?? {};

  assert.equal((await server.call("HEAD", url("looked-at"))).status, 204);
  assert.equal((await server.call("HEAD", url("nobody"))).status, 404);
  assert.equal((await server.call("GET", url("nobody"))).code, "DeploymentNotFound");
  assert.equal((await server.call("GET", url("nobody", "/operations"))).code, "DeploymentNotFound");
  assert.equal((await server.call("GET", url("looked-at", `/operations/${String(operationId)}`))).status, 200);
  assert.equal((await server.call("GET", url("looked-at", "/operations/0123456789ABCDEF"))).code, "NotFound");
});

it("gives as many operations and deployments as $top asks for, and the rest by the link", async () => {
  const resources = ["a", "b", "c"].map((name) => [name, radiusResource(settings, `many-${name}`)]);
  await deploy("many", radiusTemplate({ resources: Object.fromEntries(resources) as JsonObject }));
  const first = await server.call("GET", `${url("many", "/operations")}&$top=2`);
  const second = await server.call("GET", String(first.body["nextLink"]).slice(server.url.length));
  const list = await server.call("GET", `${deployments}?${deploymentsVersion}&%24top=1`);

  assert.deepEqual(
    [first, second, list].map(({ body }) => (body["value"] as JsonObject[]).length),
    [2, 1, 1],
  );
  for (const wrong of ["0", "-1", "x", ""]) {
    const refused = await server.call("GET", `${url("many", "/operations")}&$top=${wrong}`);
    assert.deepEqual([refused.status, refused.code], [400, "BadRequest"]);
  }
});

it("runs modules as deployments of their own", async () => {
  const inner = radiusTemplate({
    parameters: { name: { type: "string" } },
    resources: { work: radiusResource(works, "[parameters('name')]") },
    outputs: { endpoint: { type: "string", value: "[reference('work').properties.endpoint]" } },
  });
  const template = radiusTemplate({
    resources: { part: moduleResource("nested-part", inner, { parameters: { name: { value: "nested-work" } } }) },
    outputs: { endpoint: { type: "string", value: "[reference('part').outputs.endpoint.value]" } },
  });

  const properties = await deploy("nesting", template);

  assert.partialDeepStrictEqual(properties, {
    provisioningState: "Succeeded",
    outputs: { endpoint: { value: "http://nested-work" } },
    outputResources: [{ id: resource("Test.Deploy/works", "nested-work") }],
  });
  assert.deepEqual(targetsOf(await operationsOf("nesting")), ["nested-part"]);
  assert.deepEqual(targetsOf(await operationsOf("nested-part")), ["nested-work"]);
});

it("a failed resource is told in the deployment, in its operation and in the status", async () => {
  const template = radiusTemplate({
    resources: {
      bad: radiusResource(works, "failing", { properties: { fails: true } }),
      next: radiusResource(works, "after-failing", { dependsOn: ["bad"] }),
      other: radiusResource(works, "beside-failing"),
    },
  });

  const reply = await send("failing", template);
  const status = await server.settle(reply);
  const properties = propertiesOf((await server.call("GET", url("failing"))).body);

  const target = resource("Test.Deploy/works", "failing");
  const expected = {
    code: "DeploymentFailed",
    details: [
      {
        code: "ResourceDeploymentFailure",
        target,
        details: [{ code: "BadRequest", message: "no such luck" }],
        additionalInfo: [{ type: "TemplateViolation", info: { path: "$.resources.bad" } }],
      },
    ],
  };
  assert.equal(status["status"], "Failed");
  assert.partialDeepStrictEqual(status["error"], expected);
  assert.partialDeepStrictEqual(properties["error"], expected);
  assert.match(String((properties["error"] as JsonObject)["message"]), /^At least one resource deployment operation/);
  assert.deepEqual(targetsOf(await operationsOf("failing")), ["beside-failing", "failing"]);
  assert.equal((await server.call("GET", `${resource("Test.Deploy/works", "after-failing")}?${v}`)).status, 404);
  assert.equal((await server.call("GET", `${resource("Test.Deploy/works", "beside-failing")}?${v}`)).status, 200);
});

it("a resource that does not fit its schema is named as upstream names it, with every problem", async () => {
  const template = radiusTemplate({
    resources: { odd: radiusResource(works, "refused", { properties: { size: "large" } }) },
  });

  const properties = await deploy("refused", template);

  const [detail] = (properties["error"] as JsonObject)["details"] as JsonObject[];
  assert.equal(detail?.["code"], "ResourceDeploymentFailure");
  const problem = "$.properties.size in body must be an integer, not a string";
  assert.deepEqual(detail?.["details"], [
    {
      code: "InvalidRequestContent",
      message: `Schema validation failed: ${problem}`,
      details: [{ code: "InvalidProperties", message: problem }],
    },
  ]);
});

it("a deployment again keeps what has not changed, ETags included", async () => {
  const template = radiusTemplate({
    parameters: { token: { type: "secureString" }, size: { type: "int", defaultValue: 1 } },
    resources: {
      store: radiusResource(settings, "again-store", { properties: { kind: "small" }, tags: { a: "1" } }),
      web: radiusResource(works, "again-web", {
        properties: { token: "[parameters('token')]", size: "[parameters('size')]" },
      }),
    },
  });
  const etags = async (): Promise<(string | null)[]> =>
    await Promise.all(
      [resource("Radius.Core/settings", "again-store"), resource("Test.Deploy/works", "again-web")].map(async (id) =>
        (await server.call("GET", `${id}?${v}`)).headers.get("etag"),
      ),
    );
  const changes = async (): Promise<string[]> =>
    (await operationsOf("again")).map((operation) => String(operation["changeType"])).sort();
  const token = { value: "again-secret" };

  await deploy("again", template, { parameters: { token } });
  const [first, created] = [await etags(), await changes()];
  const reply = await send("again", template, { parameters: { token } });
  await server.settle(reply);
  const [second, kept] = [await etags(), await changes()];
  await deploy("again", template, { parameters: { token: { value: "another" } } });
  const [third, renewed] = [await etags(), await changes()];

  assert.equal(reply.status, 200);
  assert.deepEqual(created, ["Create", "Create"]);
  assert.deepEqual(second, first);
  assert.deepEqual(kept, ["NoChange", "NoChange"]);
  assert.equal(third[0], first[0]);
  assert.notEqual(third[1], first[1]);
  assert.deepEqual(renewed, ["Modify", "NoChange"]);
  assert.equal(begun.filter((name) => name === "again-web").length, 3);
});

it("one name runs once at a time, a module's too", async () => {
  const inner = radiusTemplate({ resources: { work: radiusResource(works, "held-module-work") } });
  const outer = radiusTemplate({ resources: { part: moduleResource("busy-part", inner) } });
  const reply = await send("busy", outer);
  await until("the module runs", () => begun.includes("held-module-work"));

  const same = await send("busy", outer);
  const ofModule = await send("busy-part", radiusTemplate());
  const removal = await server.call("DELETE", url("busy"));
  const groupRemoval = await server.call("DELETE", `${group}?${systemVersion}`);
  const partCancel = await server.call("POST", url("busy-part", "/cancel"));
  gateOf("held-module-work").resolve();

  assert.deepEqual([same.status, same.code], [409, "DeploymentActive"]);
  assert.deepEqual([ofModule.status, ofModule.code], [409, "DeploymentActive"]);
  assert.match(ofModule.text, /deployments\/busy'/);
  assert.deepEqual([removal.status, removal.code], [409, "DeploymentActive"]);
  assert.equal(groupRemoval.status, 409);
  assert.equal(partCancel.status, 409);
  assert.equal((await server.settle(reply))["status"], "Succeeded");
  assert.equal((await server.call("DELETE", url("busy"))).status, 200);
  assert.equal((await server.call("DELETE", url("busy"))).status, 204);
  assert.equal((await server.call("GET", url("busy"))).status, 404);
  const deployed = `${resource("Test.Deploy/works", "held-module-work")}?${v}`;
  assert.equal((await server.call("GET", deployed)).status, 200);
});

it("of many that deploy under one name at once one does, and the others are told", async () => {
  const template = radiusTemplate({ resources: { work: radiusResource(works, "held-contested") } });

  const replies = await Promise.all(Array.from({ length: 6 }, () => send("contested", template)));
  gateOf("held-contested").resolve();

  const [winner, ...more] = replies.filter(({ status }) => status === 201);
  assert.ok(winner !== undefined);
  assert.deepEqual(more, []);
  assert.deepEqual(
    replies.filter((reply) => reply !== winner).map(({ code }) => code),
    Array.from({ length: 5 }, () => "DeploymentActive"),
  );
  assert.equal((await server.settle(winner))["status"], "Succeeded");
});

it("cancel starts nothing more and waits for what runs", async () => {
  const template = radiusTemplate({
    resources: {
      first: radiusResource(works, "held-first"),
      second: radiusResource(works, "never-second", { dependsOn: ["first"] }),
    },
  });
  const reply = await send("cancelled", template);
  await until("the first resource is being made", () => begun.includes("held-first"));

  const cancelled = await server.call("POST", url("cancelled", "/cancel"));
  const meanwhile = propertiesOf((await server.call("GET", url("cancelled"))).body)["provisioningState"];
  gateOf("held-first").resolve();
  const status = await server.settle(reply);

  assert.equal(cancelled.status, 204);
  assert.equal(meanwhile, "Running");
  assert.equal(status["status"], "Canceled");
  const properties = propertiesOf((await server.call("GET", url("cancelled"))).body);
  assert.partialDeepStrictEqual(properties, { provisioningState: "Canceled", error: { code: "DeploymentCanceled" } });
  assert.equal((await server.call("GET", `${resource("Test.Deploy/works", "never-second")}?${v}`)).status, 404);
  const again = await server.call("POST", url("cancelled", "/cancel"));
  assert.deepEqual([again.status, again.code], [409, "Conflict"]);
});

it("members below properties are read without naming it, by a deployment and by what-if", async () => {
  const template = radiusTemplate({
    resources: {
      first: radiusResource(works, "flat-first", { properties: { size: 7 } }),
      second: radiusResource(works, "flat-second", { properties: { size: "[reference('first').size]" } }),
    },
    outputs: { size: { type: "int", value: "[reference('first').size]" } },
  });

  const foreseen = await server.call("POST", url("flat", "/whatIf"), {
    body: { properties: { mode: "Incremental", template } },
  });
  const properties = await deploy("flat", template);

  assert.deepEqual(properties["outputs"], { size: { type: "Int", value: 7 } });
  const changes = propertiesOf(foreseen.body)["changes"] as JsonObject[];
  const second = changes.find(({ resourceId }) => String(resourceId).endsWith("/flat-second"));
  assert.partialDeepStrictEqual(second?.["after"], { properties: { size: 7 } });
});

it("validate and what-if change nothing and say what a deployment would do", async () => {
  const template = radiusTemplate({
    parameters: { size: { type: "int" } },
    resources: {
      store: radiusResource(settings, "foreseen-store"),
      web: radiusResource(works, "foreseen-web", { properties: { size: "[parameters('size')]" } }),
    },
  });
  const ask = (action: string, size: number): Promise<Reply> =>
    server.call("POST", url("foreseen", action), {
      body: { properties: { mode: "Incremental", template, parameters: { size: { value: size } } } },
    });
  const changeTypes = (reply: Reply): string[] =>
    (propertiesOf(reply.body)["changes"] as JsonObject[]).map((change) => String(change["changeType"])).sort();

  const valid = await ask("/validate", 1);
  const before = await ask("/whatIf", 1);
  const nothingYet = await server.call("GET", url("foreseen"));
  await deploy("foreseen", template, { parameters: { size: { value: 1 } } });
  const unchanged = await ask("/whatIf", 1);
  const changed = await ask("/whatIf", 2);

  assert.equal(valid.status, 200);
  assert.equal(propertiesOf(valid.body)["provisioningState"], "Succeeded");
  assert.equal(before.status, 200);
  assert.deepEqual(changeTypes(before), ["Create", "Create"]);
  assert.equal(nothingYet.status, 404);
  assert.deepEqual(changeTypes(unchanged), ["NoChange", "NoChange"]);
  assert.deepEqual(changeTypes(changed), ["Modify", "NoChange"]);
});

it("validate names the resource whose body would be refused", async () => {
  const template = radiusTemplate({
    resources: { odd: radiusResource(works, "odd", { properties: { size: "large" } }) },
  });

  const reply = await server.call("POST", url("odd", "/validate"), { body: { properties: { template } } });

  assert.deepEqual([reply.status, reply.code], [400, "InvalidTemplateDeployment"]);
  assert.match(reply.text, /\$\.resources\.odd/);
});

it("exports the template, and secure outputs to nobody", async () => {
  const template = radiusTemplate({ resources: { a: radiusResource(settings, "exported") } });
  await deploy("exported", template);

  const exported = await server.call("POST", url("exported", "/exportTemplate"));
  const outputs = await server.call("POST", url("exported", "/listOutputsWithSecureValues"));

  assert.deepEqual(exported.body["template"], template);
  assert.deepEqual([outputs.status, outputs.code], [403, "Forbidden"]);
});

it("lists deployments in pages, and not among a group's resources", async () => {
  const page = await server.call("GET", `${deployments}?${deploymentsVersion}&top=5`);
  const next = String(page.body["nextLink"]).slice(server.url.length);
  const second = await server.call("GET", next);
  const tracked = await server.call("GET", `${group}/resources?${systemVersion}`);

  assert.equal((page.body["value"] as JsonObject[]).length, 5);
  assert.ok((second.body["value"] as JsonObject[]).length > 0);
  assert.doesNotMatch(tracked.text, /Microsoft\.Resources/);
  assert.match(tracked.text, /Test\.Deploy/);
});

const refusals: readonly (readonly [string, string, string, unknown, number, string])[] = [
  [
    "an api-version nobody knows",
    "PUT",
    `${deployments}/x?api-version=2019-01-01`,
    {},
    400,
    "InvalidApiVersionParameter",
  ],
  ["no api-version", "GET", `${deployments}/x`, undefined, 400, "InvalidApiVersionParameter"],
  ["PATCH", "PATCH", `${deployments}/x?${deploymentsVersion}`, {}, 405, "BadRequest"],
  ["an unknown action", "POST", `${deployments}/x/explode?${deploymentsVersion}`, {}, 404, "NotFound"],
  [
    "the plane as a scope",
    "PUT",
    `${local}/providers/Microsoft.Resources/deployments/x?${deploymentsVersion}`,
    {},
    400,
    "InvalidDeployment",
  ],
  [
    "a group that does not exist",
    "PUT",
    `${local}/resourcegroups/nowhere/providers/Microsoft.Resources/deployments/x?${deploymentsVersion}`,
    {},
    404,
    "NotFound",
  ],
  ["no body", "PUT", `${deployments}/x?${deploymentsVersion}`, undefined, 400, "InvalidRequestContent"],
  ["no template", "PUT", `${deployments}/x?${deploymentsVersion}`, { properties: {} }, 400, "InvalidDeployment"],
  [
    "a name that is too long",
    "PUT",
    `${deployments}/${"x".repeat(65)}?${deploymentsVersion}`,
    { properties: { template: {} } },
    400,
    "InvalidDeployment",
  ],
  [
    "a template that is none",
    "PUT",
    `${deployments}/x?${deploymentsVersion}`,
    { properties: { template: {} } },
    400,
    "InvalidTemplate",
  ],
  [
    "a link to anywhere",
    "PUT",
    `${deployments}/x?${deploymentsVersion}`,
    { properties: { templateLink: { uri: "https://example.com/a.json" } } },
    400,
    "InvalidContentLink",
  ],
];
for (const [what, method, path, body, status, code] of refusals) {
  it(`refuses ${what}`, async () => {
    const reply = await server.call(method, path, body === undefined ? {} : { body });

    assert.deepEqual([reply.status, reply.code], [status, code]);
  });
}

it("puts what is accepted, what comes of it and what is refused on record", async () => {
  const headers = { "x-ms-correlation-request-id": "audited-deployment" };
  const template = radiusTemplate({ resources: { a: radiusResource(settings, "audited") } });
  const body = { properties: { template } };

  await server.settle(await server.call("PUT", url("audited"), { body, headers }));
  await server.call("PUT", `${deployments}/audited?api-version=1`, {
    body,
    headers: { "x-ms-correlation-request-id": "refused-deployment" },
  });

  const records = await auditOf(server, "audited-deployment");
  assert.deepEqual(
    records.map(({ action, phase, result }) => [action, phase, result]),
    [
      ["Microsoft.Resources/deployments/write", "intent", undefined],
      ["Radius.Core/settings/write", "intent", undefined],
      ["Radius.Core/settings/write", "outcome", "Succeeded"],
      ["Microsoft.Resources/deployments/write", "outcome", "Succeeded"],
    ],
  );
  const [refusal] = await auditOf(server, "refused-deployment");
  assert.partialDeepStrictEqual(refusal, { phase: "refusal", result: "InvalidApiVersionParameter" });
});

it("a group goes with its deployments and their operations", async () => {
  const other = `${local}/resourcegroups/short-lived`;
  await server.call("PUT", `${other}?${systemVersion}`, { body: { location: "global" } });
  const id = `${other}/providers/Microsoft.Resources/deployments/d?${deploymentsVersion}`;
  const work = `${other}/providers/Radius.Core/settings/s?${v}`;
  const template = radiusTemplate({ resources: { s: radiusResource(settings, "s") } });
  await server.settle(await server.call("PUT", id, { body: { properties: { template } } }));

  const removed = await server.call("DELETE", `${other}?${systemVersion}`);
  await server.call("PUT", `${other}?${systemVersion}`, { body: { location: "global" } });

  assert.equal(removed.status, 200);
  assert.equal((await server.call("GET", work)).status, 404);
  assert.equal((await server.call("GET", id)).code, "DeploymentNotFound");
});
