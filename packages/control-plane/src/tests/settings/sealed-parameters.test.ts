// Parameters of recipes that a template made of a secure parameter: a GET shows `null`, and a PUT of that keeps the value.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type JsonObject, objectMember } from "@rad/core";
import { deploymentsVersion, radiusResource, radiusTemplate } from "../../testing/templates.ts";
import { local, type Reply, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

const group = `${local}/resourcegroups/apps`;
const legacy = { type: "Applications.Core/environments", version: "2023-10-01-preview" };
const pack = { type: "Radius.Core/recipePacks", version: "2025-08-01-preview" };
const redis = "Applications.Datastores/redisCaches";

let server: TestServer;
before(async () => {
  server = await startTestServer({ recordsOnly: true });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

interface Kind {
  readonly type: string;
  readonly version: string;
}

const url = ({ type, version }: Kind, name: string): string =>
  `${group}/providers/${type}/${name}?api-version=${version}`;

function templateOf({ type, version }: Kind, name: string, properties: JsonObject, key: string): JsonObject {
  const template = radiusTemplate({
    parameters: { key: { type: "secureString" } },
    resources: { one: radiusResource(`${type}@${version}`, name, { properties }) },
  });
  return { properties: { mode: "Incremental", template, parameters: { key: { value: key } } } };
}

async function deploy(kind: Kind, name: string, properties: JsonObject): Promise<void> {
  const body = templateOf(kind, name, properties, "canary-parameter");
  const id = `${group}/providers/Microsoft.Resources/deployments/${name}?${deploymentsVersion}`;
  const ended = await server.settle(await server.call("PUT", id, { body }));
  assert.equal(ended["status"], "Succeeded", JSON.stringify(ended));
}

/** Whether a deployment with the value that was sealed at first would change nothing. */
async function isStillSealed(kind: Kind, name: string, properties: JsonObject): Promise<boolean> {
  const body = templateOf(kind, name, properties, "canary-parameter");
  const id = `${group}/providers/Microsoft.Resources/deployments/${name}/whatIf?${deploymentsVersion}`;
  const reply = await server.call("POST", id, { body });
  assert.doesNotMatch(reply.text, /canary/);
  const [change] = objectMember(reply.body, "properties")["changes"] as JsonObject[];
  return change?.["changeType"] === "NoChange";
}

/** Sends back what a GET shows, changed. */
async function sendBack(kind: Kind, name: string, change: (properties: string) => string): Promise<Reply> {
  const shown = await server.call("GET", url(kind, name));
  assert.match(shown.text, /"key":null/);
  const { properties = {} } = shown.body;
  const body = { location: "global", properties: JSON.parse(change(JSON.stringify(properties))) as JsonObject };
  const reply = await server.call("PUT", url(kind, name), { body });
  assert.doesNotMatch(reply.text, /canary/);
  return reply;
}

for (const [name, kind, properties] of [
  [
    "environment",
    legacy,
    {
      compute: { kind: "kubernetes", namespace: "environment" },
      recipes: {
        [redis]: {
          default: {
            templateKind: "terraform",
            templatePath: "acme/redis/aws",
            parameters: { key: "[parameters('key')]" },
          },
        },
      },
    },
  ],
  [
    "pack",
    pack,
    {
      recipes: {
        "Radius.Data/redisCaches": {
          kind: "terraform",
          source: "acme/redis/aws",
          parameters: { key: "[parameters('key')]" },
        },
      },
    },
  ],
] as const) {
  it(`keeps a sealed parameter of the ${name} that is sent back as null, and not for a recipe of another source`, async () => {
    await deploy(kind, name, properties);

    const same = await sendBack(kind, name, (text) => text);
    const afterSame = await isStillSealed(kind, name, properties);
    const moved = await sendBack(kind, name, (text) => text.replace("acme/redis/aws", "mallory/redis/aws"));
    const afterMoved = await isStillSealed(kind, name, properties);
    const without = await sendBack(kind, name, (text) => text.replace('"key":null', '"size":null'));
    const shown = await server.call("GET", url(kind, name));

    assert.deepEqual([same.status, afterSame], [200, true], same.text);
    assert.deepEqual([moved.status, afterMoved], [400, true], moved.text);
    assert.match(moved.text, /'null' stands for a sealed value.*parameters\.key/);
    assert.equal(without.status, 200, without.text);
    assert.match(shown.text, /"parameters":\{"size":null\}/, "null that hides nothing is a value");
    assert.equal(await isStillSealed(kind, name, properties), false);
  });
}
