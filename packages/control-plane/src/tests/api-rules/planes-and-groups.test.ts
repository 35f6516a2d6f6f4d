// One test per rule of planes, resource groups and tracked resources.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { local, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";
import { radiusTemplate } from "../../testing/templates.ts";

let server: TestServer;
const v = systemVersion;

before(async () => {
  server = await startTestServer();
  await server.register("Test.Planes", { things: {} });
});
after(() => server[Symbol.asyncDispose]());

const radiusPlane = { location: "global", properties: { resourceProviders: { "A.B": "http://localhost:1" } } };

function names(body: JsonObject): unknown[] {
  return (body["value"] as JsonObject[]).map((item) => item["id"]);
}

it("radius/local and aws/aws exist from the start, azure does not", async () => {
  await using fresh = await startTestServer();

  assert.deepEqual(names((await fresh.call("GET", `/planes?${v}`)).body), ["/planes/aws/aws", local]);
  assert.deepEqual((await fresh.call("GET", `/planes/azure?${v}`)).body, { value: [] });
});

it("all planes are listed aws, azure, radius, with nothing but their state", async () => {
  await server.call("PUT", `/planes/azure/azurecloud?${v}`, {
    body: { location: "global", properties: { url: "https://management.azure.com" } },
  });

  const reply = await server.call("GET", `/planes?${v}`);

  assert.deepEqual(names(reply.body), ["/planes/aws/aws", "/planes/azure/azurecloud", local]);
  for (const item of reply.body["value"] as JsonObject[]) {
    assert.deepEqual(item["properties"], { provisioningState: "Succeeded" });
  }
  await server.call("DELETE", `/planes/azure/azurecloud?${v}`);
});

it("one plane is 200 with its type and properties, or 404", async () => {
  const found = await server.call("GET", `${local}?${v}`);
  const missing = await server.call("GET", `/planes/radius/nowhere?${v}`);

  assert.deepEqual([found.status, found.body["type"], found.body["name"]], [200, "System.Radius/planes", "local"]);
  assert.deepEqual([missing.status, missing.code], [404, "NotFound"]);
});

it("PUT of a plane is synchronous and answers 200 for create and update", async () => {
  const path = `/planes/radius/second?${v}`;

  assert.equal((await server.call("PUT", path, { body: radiusPlane })).status, 200);
  const again = await server.call("PUT", path, { body: { ...radiusPlane, tags: { a: "b" } } });

  assert.deepEqual([again.status, again.body["tags"]], [200, { a: "b" }]);
  assert.equal(again.headers.get("location"), null);
  assert.equal((await server.call("DELETE", path)).status, 200);
});

it("the legacy kind of a plane is dropped", async () => {
  const body = { location: "global", properties: { kind: "AWS" } };

  const reply = await server.call("PUT", `/planes/aws/second?${v}`, { body });

  assert.deepEqual(reply.body["properties"], { provisioningState: "Succeeded" });
  await server.call("DELETE", `/planes/aws/second?${v}`);
});

it("DELETE of a plane is 200 without a body, then 204", async () => {
  await server.call("PUT", `/planes/radius/gone?${v}`, { body: radiusPlane });

  const first = await server.call("DELETE", `/planes/radius/gone?${v}`);
  const second = await server.call("DELETE", `/planes/radius/gone?${v}`);

  assert.deepEqual([first.status, first.text, first.headers.get("content-type")], [200, "", null]);
  assert.equal(second.status, 204);
});

it("a plane with groups cannot be deleted, and the refusal names them", async () => {
  await server.call("PUT", `/planes/radius/full?${v}`, { body: radiusPlane });
  await server.call("PUT", `/planes/radius/full/resourcegroups/g1?${v}`, { body: { location: "global" } });

  const refused = await server.call("DELETE", `/planes/radius/full?${v}`);

  assert.deepEqual([refused.status, refused.code], [409, "Conflict"]);
  assert.match(refused.text, /\/planes\/radius\/full\/resourcegroups\/g1/);
  await server.call("DELETE", `/planes/radius/full/resourcegroups/g1?${v}`);
  assert.equal((await server.call("DELETE", `/planes/radius/full?${v}`)).status, 200);
});

it("PATCH of a plane merges", async () => {
  await server.call("PUT", `/planes/radius/patched?${v}`, { body: { ...radiusPlane, tags: { a: "1" } } });

  const reply = await server.call("PATCH", `/planes/radius/patched?${v}`, { body: { tags: { b: "2" } } });

  assert.equal(reply.status, 200);
  assert.deepEqual(reply.body["tags"], { a: "1", b: "2" });
  assert.partialDeepStrictEqual(reply.body["properties"], radiusPlane.properties);
  assert.equal((await server.call("PATCH", `/planes/radius/absent?${v}`, { body: {} })).status, 404);
  await server.call("DELETE", `/planes/radius/patched?${v}`);
});

const refusedPlanes = [
  ["a plane without a location", "radius/p1", { properties: radiusPlane.properties }, /\$\.location/],
  ["a plane without properties", "radius/p1", { location: "global" }, /\$\.properties/],
  ["a radius plane without resourceProviders", "radius/p1", { location: "g", properties: {} }, /resourceProviders/],
  ["an azure plane without a url", "azure/p1", { location: "g", properties: {} }, /\$\.properties\.url/],
  ["tags that are not strings", "aws/p1", { location: "g", properties: {}, tags: { a: 1 } }, /\$\.tags\.a/],
] as const;
for (const [what, name, body, problem] of refusedPlanes) {
  it(`${what} is refused with its path, and nothing is stored`, async () => {
    const reply = await server.call("PUT", `/planes/${name}?${v}`, { body });

    assert.deepEqual([reply.status, reply.code], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
    assert.match(reply.text, problem);
    assert.match(reply.text, /ucp\/openapi/);
    assert.equal((await server.call("GET", `/planes/${name}?${v}`)).status, 404);
  });
}

for (const name of ["1abc", "a_b", "a.b", "-a", "a-", `a${"b".repeat(63)}`]) {
  it(`'${name.slice(0, 10)}' is no name for a plane or a group`, async () => {
    for (const path of [`/planes/radius/${name}`, `${local}/resourcegroups/${name}`]) {
      const reply = await server.call("PUT", `${path}?${v}`, { body: radiusPlane });
      assert.deepEqual([reply.status, reply.code], [400, "InvalidRequestContent"]);
    }
  });
}

it("groups are created with 200, listed unpaged, read and deleted", async () => {
  const created = await server.call("PUT", `${local}/resourceGroups/One?${v}`, { body: { location: "anywhere" } });
  for (let index = 0; index < 25; index += 1) {
    await server.call("PUT", `${local}/resourcegroups/many${index}?${v}`, { body: { location: "global" } });
  }

  assert.equal(created.status, 200);
  assert.deepEqual(created.body, {
    id: `${local}/resourcegroups/One`,
    name: "One",
    type: "System.Resources/resourceGroups",
    location: "global",
    tags: {},
  });
  const list = (await server.call("GET", `${local}/resourcegroups?${v}`)).body;
  assert.equal((list["value"] as unknown[]).length, 26);
  assert.deepEqual(
    (list["value"] as JsonObject[]).find(({ name }) => name === "One"),
    created.body,
  );
  assert.deepEqual((await server.call("GET", `${local}/resourcegroups/one?${v}`)).body, created.body);
  assert.equal(list["nextLink"], undefined);
  assert.equal((await server.call("GET", `${local}/resourcegroups/nope?${v}`)).status, 404);
  for (let index = 0; index < 25; index += 1) {
    assert.equal((await server.call("DELETE", `${local}/resourcegroups/many${index}?${v}`)).status, 200);
  }
  assert.equal((await server.call("DELETE", `${local}/resourcegroups/one?${v}`)).status, 200);
  assert.equal((await server.call("DELETE", `${local}/resourcegroups/one?${v}`)).status, 204);
});

it("a group needs a location and a plane that exists", async () => {
  const noLocation = await server.call("PUT", `${local}/resourcegroups/x?${v}`, { body: {} });
  const noPlane = await server.call("PUT", `/planes/radius/nowhere/resourcegroups/x?${v}`, {
    body: { location: "global" },
  });

  assert.deepEqual([noLocation.status, noLocation.code], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
  assert.deepEqual([noPlane.status, noPlane.code], [404, "NotFound"]);
  assert.match(noPlane.text, /plane \\"\/planes\/radius\/nowhere\\" not found/);
});

it("PATCH of a group merges its tags", async () => {
  const path = `${local}/resourcegroups/tagged?${v}`;
  await server.call("PUT", path, { body: { location: "global", tags: { a: "1" } } });

  const reply = await server.call("PATCH", path, { body: { tags: { b: "2" } } });

  assert.deepEqual([reply.status, reply.body["tags"]], [200, { a: "1", b: "2" }]);
  assert.deepEqual(Object.keys(reply.body), ["id", "name", "type", "location", "tags"]);
  await server.call("DELETE", path);
});

it("tracked resources show id, name and type of what is in the group, and only that", async () => {
  const group = `${local}/resourcegroups/tracked`;
  await server.call("PUT", `${group}?${v}`, { body: { location: "global" } });
  const thing = `${group}/providers/Test.Planes/things/t1`;
  await server.settle(await server.call("PUT", `${thing}?api-version=2025-01-01`, { body: { properties: {} } }));

  const list = await server.call("GET", `${group}/resources?${v}`);

  assert.deepEqual(list.body, { value: [{ id: thing, name: "t1", type: "Test.Planes/things" }] });
  await server.settle(await server.call("DELETE", `${thing}?api-version=2025-01-01`));
  assert.deepEqual((await server.call("GET", `${group}/resources?${v}`)).body, { value: [] });
  assert.equal((await server.call("GET", `${local}/resourcegroups/nope/resources?${v}`)).status, 404);
  await server.call("DELETE", `${group}?${v}`);
});

it("deployment records go with their group", async () => {
  const group = `${local}/resourcegroups/deployed`;
  await server.call("PUT", `${group}?${v}`, { body: { location: "global" } });
  const record = `${group}/providers/Microsoft.Resources/deployments/d1?api-version=2020-10-01`;
  await server.settle(await server.call("PUT", record, { body: { properties: { template: radiusTemplate() } } }));

  assert.equal((await server.call("DELETE", `${group}?${v}`)).status, 200);
  await server.call("PUT", `${group}?${v}`, { body: { location: "global" } });

  assert.equal((await server.call("GET", record)).status, 404);
});
