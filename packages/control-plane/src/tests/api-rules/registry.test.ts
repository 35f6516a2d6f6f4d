// One test per rule of resource providers, types, api versions, locations, summaries, icons and routing.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { local, registry, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
const v = systemVersion;
const defaultIconHash = "98fde6b7efcad66b37ad3014e63b3965f13d82a524a07cb53e690ef5287cb037";

before(async () => {
  server = await startTestServer();
  await server.register("Test.Registry", { widgets: {}, gadgets: { type: "object", properties: {} } });
  await server.call("PUT", `${local}/resourcegroups/reg?${v}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

async function putAndSettle(path: string, body: JsonObject): Promise<JsonObject> {
  const reply = await server.call("PUT", `${path}?${v}`, { body });
  assert.equal(reply.status, 201, reply.text);
  const status = await server.settle(reply);
  assert.equal(status["status"], "Succeeded");
  return (await server.call("GET", `${path}?${v}`)).body;
}

const registrations = [
  [`${registry}/Test.Async`, { location: "global", properties: {} }],
  [`${registry}/Test.Async/resourcetypes/apples`, { properties: {} }],
  [`${registry}/Test.Async/resourcetypes/apples/apiversions/2025-02-02-preview`, { properties: { schema: {} } }],
  [`${registry}/Test.Async/locations/east`, { properties: { address: "http://localhost:1", resourceTypes: {} } }],
] as const;

it("every registration is accepted with 201 and ends Succeeded; DELETE is 202, then 204", async () => {
  for (const [path, body] of registrations) {
    const accepted = await server.call("PUT", `${path}?${v}`, { body });
    assert.equal(accepted.status, 201);
    assert.equal(accepted.headers.get("retry-after"), "1");
    assert.equal((accepted.body["properties"] as JsonObject)["provisioningState"], "Accepted");
    assert.equal((await server.settle(accepted))["status"], "Succeeded");
    const stored = await server.call("GET", `${path}?${v}`);
    assert.equal((stored.body["properties"] as JsonObject)["provisioningState"], "Succeeded");
  }
  for (const [path] of registrations.toReversed()) {
    const accepted = await server.call("DELETE", `${path}?${v}`);
    assert.deepEqual([accepted.status, accepted.text, accepted.headers.get("retry-after")], [202, "", "1"]);
    assert.equal((await server.settle(accepted))["status"], "Succeeded");
    assert.equal((await server.call("GET", `${path}?${v}`)).status, 404);
    assert.equal((await server.call("DELETE", `${path}?${v}`)).status, 204);
  }
});

it("providers are tracked; types, versions and locations carry no location, tags or systemData", async () => {
  const provider = (await server.call("GET", `${registry}/Test.Registry?${v}`)).body;
  const type = (await server.call("GET", `${registry}/Test.Registry/resourcetypes/widgets?${v}`)).body;

  assert.deepEqual(Object.keys(provider), ["id", "name", "type", "location", "tags", "properties", "systemData"]);
  assert.deepEqual(Object.keys(type), ["id", "name", "type", "properties"]);
});

it("types of providers, types and versions are spelled as in the first PUT, those of locations in one way", async () => {
  const spelled = `${local}/providers/System.Resources/resourceProviders/Test.Spelled`;
  const lower = `${registry}/Test.Lower`;
  for (const provider of [spelled, lower]) {
    await putAndSettle(provider, { location: "global", properties: {} });
    await putAndSettle(`${provider}/locations/east`, { properties: { resourceTypes: {} } });
  }
  await putAndSettle(`${spelled}/resourceTypes/things`, { properties: {} });
  await putAndSettle(`${lower}/resourcetypes/things`, { properties: {} });
  await putAndSettle(`${lower}/resourcetypes/things/apiversions/2025-01-01`, { properties: {} });
  const typeAt = async (path: string): Promise<unknown> => (await server.call("GET", `${path}?${v}`)).body["type"];

  assert.equal(await typeAt(spelled), "System.Resources/resourceProviders");
  assert.equal(
    await typeAt(spelled.replace("resourceProviders", "resourceproviders")),
    "System.Resources/resourceProviders",
  );
  assert.equal(await typeAt(`${spelled}/resourceTypes/things`), "System.Resources/resourceProviders/resourceTypes");
  assert.equal(await typeAt(lower), "System.Resources/resourceproviders");
  assert.equal(await typeAt(`${lower}/resourcetypes/things`), "System.Resources/resourceproviders/resourcetypes");
  assert.equal(
    await typeAt(`${lower}/resourcetypes/things/apiversions/2025-01-01`),
    "System.Resources/resourceproviders/resourcetypes/apiversions",
  );
  assert.equal(await typeAt(`${lower}/locations/east`), "System.Resources/resourceProviders/locations");
});

it("a location's address is stored and returned", async () => {
  const location = await putAndSettle(`${registry}/Test.Registry/locations/west`, {
    properties: { address: "http://nowhere.example:1234", resourceTypes: {} },
  });

  assert.equal((location["properties"] as JsonObject)["address"], "http://nowhere.example:1234");
});

const lists = [
  [`${registry}/Test.Registry/resourcetypes`, ["gadgets", "widgets"]],
  [`${registry}/Test.Registry/resourcetypes/widgets/apiversions`, ["2025-01-01"]],
] as const;
for (const [path, expected] of lists) {
  it(`${path.slice(registry.length)} lists its own children only`, async () => {
    await server.register("Test.Neighbour", { pears: {} });

    const reply = await server.call("GET", `${path}?${v}`);

    assert.deepEqual(
      (reply.body["value"] as JsonObject[]).map((item) => item["name"]),
      expected,
    );
  });
}

it("the children of a provider that does not exist are not found", async () => {
  const reply = await server.call("GET", `${registry}/No.Such/resourcetypes?${v}`);

  assert.deepEqual([reply.status, reply.code], [404, "NotFound"]);
});

it("a summary shows types with versions, and locations", async () => {
  const reply = await server.call("GET", `${local}/providers/test.registry?${v}`);

  assert.equal(reply.body["name"], "Test.Registry");
  assert.deepEqual((reply.body["resourceTypes"] as JsonObject)["widgets"], {
    apiVersions: { "2025-01-01": { schema: {} } },
    capabilities: [],
    iconHash: defaultIconHash,
  });
  assert.deepEqual((reply.body["locations"] as JsonObject)["global"], {});
});

it("summaries are 404 without the provider or the plane", async () => {
  for (const path of [
    `${local}/providers/No.Such`,
    "/planes/radius/none/providers",
    "/planes/radius/none/providers/X.Y",
  ]) {
    const reply = await server.call("GET", `${path}?${v}`);
    assert.deepEqual([reply.status, reply.code], [404, "NotFound"]);
  }
});

it("all summaries are one unpaged list", async () => {
  const reply = await server.call("GET", `${local}/providers?${v}`);

  const names = (reply.body["value"] as JsonObject[]).map((item) => item["name"]);
  assert.ok(names.includes("Test.Registry") && names.includes("Test.Neighbour"));
});

it("the list of summaries has an etag that any registration changes, and 304 answers whoever has it", async () => {
  const list = `${local}/providers?${v}`;
  const ask = async (etag: string) => await server.call("GET", list, { headers: { "If-None-Match": etag } });
  const first = (await server.call("GET", list)).headers.get("etag") ?? "";

  const unchanged = await ask(first);
  assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.get("etag")], [304, "", first]);
  assert.equal((await ask(`"other", W/${first}`)).status, 304);
  assert.equal((await ask(`"other"`)).status, 200);
  const withIcons = await server.call("GET", `${list}&includeIcons=true`, { headers: { "If-None-Match": first } });
  assert.equal(withIcons.status, 200);

  const version = `${registry}/Test.Registry/resourcetypes/widgets/apiversions/2031-01-01`;
  await putAndSettle(version, { properties: { schema: { type: "object" } } });
  const second = await ask(first);
  assert.equal(second.status, 200);
  await putAndSettle(version, { properties: { schema: { type: "object", properties: { a: { type: "string" } } } } });
  const third = await ask(second.headers.get("etag") ?? "");
  assert.equal(third.status, 200);
  await server.settle(await server.call("DELETE", `${version}?${v}`));
  assert.equal((await ask(third.headers.get("etag") ?? "")).status, 200);
  assert.equal((await ask(first)).status, 304);
});

const badNames = [
  ["NoDot", ""],
  ["A.B", ""],
  ["Test.Registry", "/resourcetypes/x"],
  ["Test.Registry", "/resourcetypes/1abc"],
  ["Test.Registry", "/resourcetypes/widgets/apiversions/2025-1-1"],
  ["Test.Registry", "/resourcetypes/widgets/apiversions/latest"],
  ["Test.Registry", "/locations/us-east"],
] as const;
for (const [namespace, rest] of badNames) {
  it(`${namespace}${rest} is not a valid name`, async () => {
    const reply = await server.call("PUT", `${registry}/${namespace}${rest}?${v}`, {
      body: { location: "global", properties: {} },
    });

    assert.deepEqual([reply.status, reply.code], [400, "InvalidRequestContent"]);
  });
}

it("ManualResourceProvisioning is the only capability", async () => {
  const path = `${registry}/Test.Registry/resourcetypes/capable`;
  const refused = await server.call("PUT", `${path}?${v}`, { body: { properties: { capabilities: ["Other"] } } });
  const accepted = await putAndSettle(path, { properties: { capabilities: ["ManualResourceProvisioning"] } });

  assert.deepEqual([refused.status, refused.code], [400, "BadRequest"]);
  assert.deepEqual((accepted["properties"] as JsonObject)["capabilities"], ["ManualResourceProvisioning"]);
});

const orphans = [
  [`${registry}/No.Provider/resourcetypes/widgets`, /No\.Provider/],
  [`${registry}/No.Provider/locations/global`, /No\.Provider/],
  [`${registry}/Test.Registry/resourcetypes/missing/apiversions/2025-01-01`, /missing/],
] as const;
for (const [path, named] of orphans) {
  it(`${path.slice(registry.length)} needs its parent first`, async () => {
    const reply = await server.call("PUT", `${path}?${v}`, { body: { properties: {} } });

    assert.deepEqual([reply.status, reply.code], [404, "NotFound"]);
    assert.match(reply.text, named);
  });
}

for (const rest of ["resourcetypes/bare", "locations/bare"]) {
  it(`${rest} without properties is refused`, async () => {
    const reply = await server.call("PUT", `${registry}/Test.Registry/${rest}?${v}`, { body: {} });

    assert.deepEqual([reply.status, reply.code], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
  });
}

it("an api version may be an empty object", async () => {
  const path = `${registry}/Test.Registry/resourcetypes/widgets/apiversions/2030-01-01`;

  assert.deepEqual((await putAndSettle(path, {}))["properties"], { provisioningState: "Succeeded" });
});

const hostileSchemas: readonly (readonly [string, unknown])[] = [
  ["nested too deep", nest(200)],
  [
    "a reference that leads nowhere but to itself",
    { $ref: "#/definitions/a", definitions: { a: { $ref: "#/definitions/a" } } },
  ],
  ["an external reference", { $ref: "https://example.com/schema.json" }],
  ["a pattern that is not regular", { type: "object", properties: { a: { type: "string", pattern: "(a)\\1" } } }],
  ["a type that does not exist", { type: "object", properties: { a: { type: "date" } } }],
];
for (const [what, schema] of hostileSchemas) {
  it(`a schema with ${what} is refused and not stored`, async () => {
    const path = `${registry}/Test.Registry/resourcetypes/widgets/apiversions/2031-01-01`;

    const reply = await server.call("PUT", `${path}?${v}`, { body: { properties: { schema } } });

    assert.equal(reply.status, 400);
    assert.equal((await server.call("GET", `${path}?${v}`)).status, 404);
  });
}

it("a catastrophic pattern costs nothing", async () => {
  await server.register("Test.Patterns", {
    strings: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } },
  });
  const body = { properties: { a: `${"a".repeat(50_000)}!` } };

  const path = `${local}/resourcegroups/reg/providers/Test.Patterns/strings/s1?api-version=2025-01-01`;
  const reply = await server.call("PUT", path, { body });

  assert.deepEqual([reply.status, reply.code], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
});

const icon = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>';

it("an icon is hashed, served for ever, and left out of summaries unless asked for", async () => {
  const path = `${registry}/Test.Registry/resourcetypes/pictured`;
  const type = await putAndSettle(path, { properties: { icon } });
  const { iconHash } = type["properties"] as JsonObject;

  const served = await server.call("GET", `${path}/icons/${String(iconHash)}`);

  assert.equal(served.text, icon);
  assert.equal(served.headers.get("content-type"), "image/svg+xml; charset=utf-8");
  assert.equal(served.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assert.equal(served.headers.get("x-content-type-options"), "nosniff");
  assert.match(served.headers.get("content-security-policy") ?? "", /default-src 'none'/);
  assert.equal((await server.call("GET", `${path}/icons/${defaultIconHash}`)).status, 404);
  const plain = await server.call("GET", `${local}/providers/Test.Registry?${v}`);
  const withIcons = await server.call("GET", `${local}/providers/Test.Registry?${v}&includeIcons=true`);
  assert.equal(pictured(plain.body)["icon"], undefined);
  assert.equal(pictured(withIcons.body)["icon"], icon);
});

it("without an icon the hash is the product's own and no icon is served", async () => {
  const path = `${registry}/Test.Registry/resourcetypes/widgets`;
  const { iconHash } = (await server.call("GET", `${path}?${v}`)).body["properties"] as JsonObject;

  assert.equal(iconHash, defaultIconHash);
  assert.equal((await server.call("GET", `${path}/icons/${defaultIconHash}`)).status, 404);
});

for (const bad of ["", "<svg>", "<p/>", "<svg><script/></svg>", '<svg onload="x"/>', "x".repeat(40_000)]) {
  it(`'${bad.slice(0, 22)}' is not an icon`, async () => {
    const path = `${registry}/Test.Registry/resourcetypes/iconless`;
    const reply = await server.call("PUT", `${path}?${v}`, { body: { properties: { icon: bad } } });

    assert.deepEqual([reply.status, reply.code], [400, "BadRequest"]);
  });
}

it("a type or a provider with instances cannot be deleted, and the refusal lists them", async () => {
  const thing = `${local}/resourcegroups/reg/providers/Test.Used/things/t1`;
  await server.register("Test.Used", { things: {}, others: {} });
  await server.settle(await server.call("PUT", `${thing}?api-version=2025-01-01`, { body: { properties: {} } }));

  for (const path of [`${registry}/Test.Used/resourcetypes/things`, `${registry}/Test.Used`]) {
    const refused = await server.call("DELETE", `${path}?${v}`);
    assert.deepEqual([refused.status, refused.code], [409, "Conflict"]);
    assert.match(refused.text, /things\/t1/);
  }
  const unused = await server.call("DELETE", `${registry}/Test.Used/resourcetypes/others?${v}`);
  assert.equal((await server.settle(unused))["status"], "Succeeded");
});

it("deleting a type takes its api versions along, deleting a provider everything below it", async () => {
  await server.register("Test.Cascade", { things: {}, others: {} });
  const things = `${registry}/Test.Cascade/resourcetypes/things`;

  await server.settle(await server.call("DELETE", `${things}?${v}`));
  assert.equal((await server.call("GET", `${things}/apiversions/2025-01-01?${v}`)).status, 404);
  await server.settle(await server.call("DELETE", `${registry}/Test.Cascade?${v}`));

  for (const rest of [
    "",
    "/resourcetypes/others",
    "/resourcetypes/others/apiversions/2025-01-01",
    "/locations/global",
  ]) {
    assert.equal((await server.call("GET", `${registry}/Test.Cascade${rest}?${v}`)).status, 404);
  }
});

it("a version that only its location still lists takes no resources, whose secrets nobody would know", async () => {
  const schema = { type: "object", properties: { key: { type: "string", "x-radius-sensitive": true } } };
  await server.register("Test.Unlisted", { things: schema });
  const version = `${registry}/Test.Unlisted/resourcetypes/things/apiversions/2025-01-01?${v}`;
  const path = `${local}/resourcegroups/reg/providers/Test.Unlisted/things`;

  await server.settle(await server.call("DELETE", version));
  const reply = await server.call("PUT", `${path}/t1?api-version=2025-01-01`, { body: { properties: { key: "k" } } });

  assert.deepEqual([reply.status, reply.code], [400, "BadRequest"]);
  assert.deepEqual((await server.call("GET", `${path}?api-version=2025-01-01`)).body, { value: [] });
});

const unroutable = [
  [
    "an unknown plane",
    "/planes/radius/none/resourcegroups/g/providers/Test.Registry/widgets/w",
    404,
    "NotFound",
    /plane/,
  ],
  ["an unknown group", `${local}/resourcegroups/none/providers/Test.Registry/widgets/w`, 404, "NotFound", /group/],
  [
    "an unknown type",
    `${local}/resourcegroups/reg/providers/Test.Registry/nothings/w`,
    400,
    "BadRequest",
    /not registered/,
  ],
  [
    "an unknown provider",
    `${local}/resourcegroups/reg/providers/No.Such/widgets/w`,
    400,
    "BadRequest",
    /not registered/,
  ],
  [
    "a group within a group",
    `${local}/resourcegroups/reg/providers/System.Resources/resourceGroups/inner`,
    400,
    "BadRequest",
    /not registered/,
  ],
  [
    "a registration within a group",
    `${local}/resourcegroups/reg/providers/System.Resources/resourceProviders/Some.Thing`,
    400,
    "BadRequest",
    /not registered/,
  ],
] as const;
const inMissingGroup = `${local}/resourcegroups/none/providers`;
for (const [what, resource, version] of [
  ["a type that is not registered", "No.Such/widgets/w", "2025-01-01"],
  ["an api-version that is not registered", "Test.Registry/widgets/w", "1999-01-01"],
  ["the resource, or what is wrong with its body,", "Applications.Core/containers/c", "2023-10-01-preview"],
  ["a deployment", "Microsoft.Resources/deployments/d", "2020-10-01"],
  ["an api-version of deployments", "Microsoft.Resources/deployments/d", "1999-01-01"],
] as const) {
  it(`${what} is looked for after the group`, async () => {
    const id = `${inMissingGroup}/${resource}`;
    for (const method of ["GET", "PUT", "DELETE", "POST"]) {
      const body = method === "PUT" || method === "POST" ? { body: { properties: {} } } : {};
      const path = method === "POST" ? `${id}/noSuchAction` : id;
      const reply = await server.call(method, `${path}?api-version=${version}`, body);

      assert.deepEqual(
        [method, reply.status, reply.body["error"]],
        [
          method,
          404,
          {
            code: "NotFound",
            message: `the resource with id '${id}' was not found: resource group "${local}/resourcegroups/none" not found`,
            target: `${local}/resourcegroups/none`,
          },
        ],
      );
    }
  });
}

for (const [what, path, status, code, message] of unroutable) {
  it(`a request to ${what} is ${status}`, async () => {
    for (const method of ["GET", "PUT"]) {
      const body = method === "PUT" ? { body: { properties: {} } } : {};
      const reply = await server.call(method, `${path}?api-version=2025-01-01`, body);

      assert.deepEqual([reply.status, reply.code], [status, code]);
      assert.match(reply.text, message);
    }
  });
}

it("a type that location global does not list is not served there", async () => {
  await putAndSettle(`${registry}/Test.Elsewhere`, { location: "global", properties: {} });
  await putAndSettle(`${registry}/Test.Elsewhere/resourcetypes/things`, { properties: {} });
  await putAndSettle(`${registry}/Test.Elsewhere/resourcetypes/things/apiversions/2025-01-01`, { properties: {} });
  const resourceTypes = { things: { apiVersions: { "2025-01-01": {} } } };
  await putAndSettle(`${registry}/Test.Elsewhere/locations/east`, { properties: { resourceTypes } });
  const path = `${local}/resourcegroups/reg/providers/Test.Elsewhere/things?api-version=2025-01-01`;

  const before = await server.call("GET", path);
  await putAndSettle(`${registry}/Test.Elsewhere/locations/global`, {
    properties: { resourceTypes: { THINGS: { apiVersions: { "2025-01-01": {} } } } },
  });

  assert.deepEqual([before.status, before.code], [400, "BadRequest"]);
  assert.equal((await server.call("GET", path)).status, 200);
});

function pictured(summary: JsonObject): JsonObject {
  return (summary["resourceTypes"] as JsonObject)["pictured"] as JsonObject;
}

function nest(depth: number): JsonObject {
  return depth === 0 ? { type: "string" } : { type: "array", items: nest(depth - 1) };
}
