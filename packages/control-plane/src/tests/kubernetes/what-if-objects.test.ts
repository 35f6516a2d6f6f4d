import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { local, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const group = `${local}/resourcegroups/ahead`;
const version = "2023-10-01-preview";

let manifests = "";
let server: TestServer;
before(async () => {
  manifests = await mkdtemp(join(tmpdir(), "radius-manifests-"));
  server = await startTestServer({ overrides: { kubernetes: { manifests } } });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(manifests, { recursive: true, force: true });
});

interface Shape {
  readonly image?: string;
  readonly ports?: JsonObject;
  readonly env?: JsonObject;
}

function template({ image = "web:1", ports = { http: { containerPort: 80 } }, env = {} }: Shape): JsonObject {
  const resource = (type: string, name: string, properties: JsonObject): JsonObject => ({
    import: "radius",
    type: `Applications.Core/${type}@${version}`,
    properties: { name, location: "global", properties },
  });
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    languageVersion: "2.1-experimental",
    contentVersion: "1.0.0.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    parameters: { secret: { type: "secureString", defaultValue: "" } },
    resources: {
      env: resource("environments", "ahead", { compute: { kind: "kubernetes", namespace: "ahead" } }),
      app: resource("applications", "shop", { environment: "[reference('env').id]" }),
      web: resource("containers", "web", {
        application: "[reference('app').id]",
        container: { image, ports, env },
      }),
    },
  };
}

async function send(action: string, shape: Shape, settings: JsonObject = {}, secret = ""): Promise<JsonObject> {
  const id = `${group}/providers/Microsoft.Resources/deployments/ahead`;
  const parameters = { secret: { value: secret } };
  const body = { properties: { mode: "Incremental", template: template(shape), parameters, ...settings } };
  const reply = await server.call(action === "" ? "PUT" : "POST", `${id}${action}?api-version=2020-10-01`, { body });
  if (action === "") {
    assert.equal((await server.settle(reply)).status, "Succeeded");
    return {};
  }
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
}

/** `Create Deployment/web` for each object that the container would change. */
async function objectsOf(shape: Shape, settings?: JsonObject, secret?: string): Promise<readonly JsonObject[]> {
  const { properties } = await send("/whatIf", shape, settings, secret);
  const { changes } = properties as { changes: JsonObject[] };
  const web = changes.find(({ resourceId }) => String(resourceId).endsWith("/containers/web")) ?? {};
  return (web["nestedChanges"] as JsonObject[] | undefined) ?? [];
}

function named(objects: readonly JsonObject[]): string[] {
  return objects
    .map(({ changeType, resourceId }) => `${String(changeType)} ${String(resourceId).split("/").slice(-2).join("/")}`)
    .toSorted();
}

it("what-if lists the objects of an application that does not exist yet, and creates none", async () => {
  const objects = await objectsOf({});

  assert.deepEqual(named(objects), [
    "Create Deployment/web",
    "Create Role/web",
    "Create RoleBinding/web",
    "Create Service/web",
    "Create ServiceAccount/web",
  ]);
  assert.deepEqual(await readdir(manifests), []);
});

it("what-if lists what an update changes and deletes, with the members that differ", async () => {
  await send("", {});

  const same = await objectsOf({});
  const changed = await objectsOf({ image: "web:2", ports: {} });
  const idsOnly = await objectsOf({ image: "web:2" }, { whatIfSettings: { resultFormat: "ResourceIdOnly" } });

  assert.deepEqual(same, []);
  assert.deepEqual(named(changed), ["Delete Service/web", "Modify Deployment/web"]);
  assert.match(JSON.stringify(changed[0]?.["delta"]), /web:1.*web:2/);
  assert.deepEqual(
    idsOnly.map((object) => Object.keys(object)),
    [["resourceId", "changeType"]],
  );
});

it("what-if shows no value that is made of a secret, in whatever object it ends up", async () => {
  const objects = await objectsOf({ env: { KEY: { value: "[parameters('secret')]" } } }, {}, "canary-3b7");
  const inImage = await objectsOf({ image: "[concat('web:', parameters('secret'))]" }, {}, "canary-3b7");

  assert.notDeepEqual(objects, []);
  assert.doesNotMatch(JSON.stringify([objects, inImage]), /canary|Y2FuYXJ5/);
});
