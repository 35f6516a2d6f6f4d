// Registering a built-in type again: what a client sends is stored and shown, requests keep to the program's own.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { local, registry, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
const v = systemVersion;
const group = `${local}/resourcegroups/again`;
const core = `${registry}/Applications.Core`;
const legacy = "2023-10-01-preview";
const environment = { location: "global", properties: { compute: { kind: "kubernetes", namespace: "n" } } };

/** What upstream's client makes of `schema: {}` in a manifest: the base properties, with `environment` required. */
const merged: JsonObject = {
  type: "object",
  properties: {
    application: { type: "string" },
    environment: { type: "string" },
    connections: {
      type: "object",
      additionalProperties: {
        type: "object",
        properties: { source: { type: "string" }, disableDefaultEnvVars: { type: "boolean" } },
        required: ["source"],
      },
    },
    codeReference: { type: "string" },
  },
  required: ["environment"],
};
const address = "http://applications-rp.radius-system:5443";

before(async () => {
  server = await startTestServer();
  await server.call("PUT", `${group}?${v}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

async function put(on: TestServer, path: string, body: JsonObject): Promise<void> {
  const reply = await on.call("PUT", `${path}?${v}`, { body });
  assert.equal(reply.status, 201, reply.text);
  assert.equal((await on.settle(reply))["status"], "Succeeded");
}

/** `rad resource-provider create --from-file` as upstream's client does it. */
async function registerAgain(on: TestServer, namespace: string, version: string, types: string[]): Promise<void> {
  const provider = `${registry}/${namespace}`;
  await put(on, provider, { location: "global", properties: {} });
  for (const type of types) {
    await put(on, `${provider}/resourcetypes/${type}`, { properties: { capabilities: [], description: "theirs" } });
    await put(on, `${provider}/resourcetypes/${type}/apiversions/${version}`, { properties: { schema: merged } });
  }
  const resourceTypes = Object.fromEntries(types.map((type) => [type, { apiVersions: { [version]: {} } }]));
  await put(on, `${provider}/locations/global`, { properties: { address, resourceTypes } });
}

async function properties(on: TestServer, path: string): Promise<JsonObject> {
  const reply = await on.call("GET", `${path}?${v}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body["properties"] as JsonObject;
}

function withoutDescriptions(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => (key === "description" ? undefined : value));
}

async function assertServed(on: TestServer): Promise<void> {
  const env = await on.call("PUT", `${group}/providers/Applications.Core/environments/e?api-version=${legacy}`, {
    body: environment,
  });
  assert.equal(env.status, 200, env.text);
  const secret = `${group}/providers/Applications.Core/secretStores/s?api-version=${legacy}`;
  const sealed = await on.call("PUT", secret, {
    body: { location: "global", properties: { resource: "n/s", type: "generic", data: { a: { value: "canary" } } } },
  });
  assert.equal(sealed.status, 200, sealed.text);
  assert.ok(!sealed.text.includes("canary"), sealed.text);
  const bad = await on.call("PUT", `${group}/providers/Applications.Core/environments/b?api-version=${legacy}`, {
    body: { location: "global", properties: { environment: "x" } },
  });
  assert.deepEqual([bad.status, bad.code], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
}

it("reads back as sent, while requests, sealing and OpenAPI keep to the built-in schema", async () => {
  const openApi = (await server.call("GET", "/openapi.json")).text;

  await registerAgain(server, "Applications.Core", legacy, ["environments", "secretStores"]);
  await registerAgain(server, "Radius.Core", "2025-08-01-preview", ["environments", "recipePacks"]);

  await assertServed(server);
  const preview = await server.call(
    "PUT",
    `${group}/providers/Radius.Core/environments/e?api-version=2025-08-01-preview`,
    { body: { location: "global", properties: {} } },
  );
  assert.equal(preview.status, 200, preview.text);
  const type = `${core}/resourcetypes/environments`;
  assert.equal((await properties(server, type))["description"], "theirs");
  assert.deepEqual((await properties(server, `${type}/apiversions/${legacy}`))["schema"], merged);
  assert.equal((await properties(server, `${core}/locations/global`))["address"], address);
  const now = (await server.call("GET", "/openapi.json")).text;
  assert.deepEqual(withoutDescriptions(now), withoutDescriptions(openApi));
});

it("types that a re-registered location leaves out are served all the same", async () => {
  await put(server, `${core}/locations/global`, { properties: { address, resourceTypes: {} } });

  const list = await server.call("GET", `${group}/providers/Applications.Core/applications?api-version=${legacy}`);

  assert.equal(list.status, 200, list.text);
});

it("a type that a client adds to a built-in namespace is a type like any other, with its own schema", async () => {
  await put(server, `${core}/resourcetypes/extras`, { properties: {} });
  const schema = { type: "object", properties: { size: { type: "integer" } }, required: ["size"] };
  await put(server, `${core}/resourcetypes/extras/apiversions/2030-01-01`, { properties: { schema } });
  await put(server, `${core}/locations/global`, {
    properties: { resourceTypes: { extras: { apiVersions: { "2030-01-01": {} } } } },
  });
  const extra = `${group}/providers/Applications.Core/extras/x?api-version=2030-01-01`;

  const refused = await server.call("PUT", extra, { body: { properties: {} } });
  const accepted = await server.call("PUT", extra, { body: { properties: { size: 1 } } });

  assert.deepEqual([refused.status, refused.code], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
  assert.equal(accepted.status, 201, accepted.text);
  assert.equal((await server.settle(accepted))["status"], "Succeeded");
  assert.equal((await server.call("PATCH", extra, { body: {} })).status, 405);
  await server.settle(await server.call("DELETE", extra));
});

for (const what of ["/resourcetypes/volumes/apiversions/2023-10-01-preview", "/resourcetypes/volumes", ""]) {
  it(`deleting a client's registration '${what}' brings the built-in one back`, async () => {
    await using own = await startTestServer();
    const version = `${core}/resourcetypes/volumes/apiversions/${legacy}`;
    const type = `${core}/resourcetypes/volumes`;
    const read = async (path: string): Promise<JsonObject> => (await own.call("GET", `${path}?${v}`)).body;
    const before = [await read(version), await read(type), await read(`${core}/locations/global`)];
    await registerAgain(own, "Applications.Core", legacy, ["volumes", "theirs"]);

    const deleted = await own.call("DELETE", `${core}${what}?${v}`);
    assert.equal((await own.settle(deleted))["status"], "Succeeded");

    assert.deepEqual(await read(version), before[0]);
    if (!what.includes("apiversions")) {
      assert.deepEqual(await read(type), before[1]);
    }
    if (what === "") {
      assert.deepEqual(await read(`${core}/locations/global`), before[2]);
    }
    assert.equal((await own.call("GET", `${core}/resourcetypes/theirs?${v}`)).status, what === "" ? 404 : 200);
    await own.call("PUT", `${group}?${v}`, { body: { location: "global" } });
    await assertServed(own);
  });
}

it("a restart keeps what a client registered, and lists built-in types again", async () => {
  const directory = await mkdtemp(join(tmpdir(), "radius-test-"));
  const version = `${core}/resourcetypes/environments/apiversions/${legacy}`;
  {
    await using first = await startTestServer({ directory });
    await first.call("PUT", `${group}?${v}`, { body: { location: "global" } });
    await registerAgain(first, "Applications.Core", legacy, ["environments", "secretStores"]);
  }
  {
    await using second = await startTestServer({ directory });
    assert.deepEqual((await properties(second, version))["schema"], merged);
    const location = await properties(second, `${core}/locations/global`);
    assert.equal(location["address"], address);
    assert.ok("volumes" in (location["resourceTypes"] as JsonObject), "built-in types are listed again");
    await assertServed(second);
  }
  await rm(directory, { recursive: true, force: true });
});
