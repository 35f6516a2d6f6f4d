// One test per rule of the resource conventions: envelope, verbs, conditions, paging, errors, headers.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { builtInTypes, namespacePolicies } from "@rad/radius-types";
import { TypeModules } from "@rad/resources";
import { local, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";
import { radiusTemplate } from "../../testing/templates.ts";

let server: TestServer;
const group = `${local}/resourcegroups/arm`;
const v = "api-version=2025-01-01";
const at = (type: string, name: string): string => `${group}/providers/${type}/${name}?${v}`;
const widget = (name: string): string => at("Test.Arm/widgets", name);
/** Synchronous, needs a location. */
const settings = (name: string): string => at("Radius.Core/settings", name);
/** Asynchronous, needs a location. */
const container = (name: string): string => at("Applications.Core/containers", name);

before(async () => {
  server = await startTestServer({
    handlers: {
      "Applications.Core/extenders": { actions: { listSecrets: async () => ({ value: 1 }) } },
      "Test.Arm/reported": {
        put: async ({ properties }) => ({ kind: "done", properties: { ...properties, status: { seen: true } } }),
      },
    },
  });
  await server.register("Test.Arm", {
    widgets: {},
    reported: {},
    typed: {
      type: "object",
      properties: {
        size: { type: "integer", default: 3 },
        host: { type: "string", readOnly: true },
        password: { type: "string", "x-radius-sensitive": true },
        nested: { type: "object", properties: { flag: { type: "boolean", default: true } } },
      },
      required: ["password"],
    },
  });
  await server.register("Radius.Core", { settings: {}, applications: {} });
  await server.register("Applications.Core", { containers: {}, extenders: {}, environments: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

async function create(path: string, body: JsonObject = { properties: {} }): Promise<void> {
  const reply = await server.call("PUT", path, { body: { location: "global", ...body } });
  assert.ok(reply.status === 200 || reply.status === 201, reply.text);
  if (reply.status === 201) {
    assert.equal((await server.settle(reply))["status"], "Succeeded");
  }
}

it("id, name, type and systemData of the request are ignored", async () => {
  const body = { id: "/x", name: "y", type: "z", systemData: { createdBy: "me" }, location: "mars", properties: {} };

  const reply = await server.call("PUT", settings("ignored"), { body });

  assert.partialDeepStrictEqual(reply.body, {
    id: `${group}/providers/Radius.Core/settings/ignored`,
    name: "ignored",
    type: "Radius.Core/settings",
    location: "global",
  });
  assert.equal((reply.body["systemData"] as JsonObject)["createdBy"], "local-admin");
});

it("location is required for built-in namespaces and optional for user-defined types", async () => {
  for (const path of [settings("a"), container("a")]) {
    const reply = await server.call("PUT", path, { body: { properties: {} } });
    assert.deepEqual([reply.status, reply.code], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
    assert.match(reply.text, /\$\.location/);
  }
  const reply = await server.call("PUT", widget("a"), { body: { properties: {} } });
  assert.deepEqual([reply.status, reply.body["location"]], [201, "global"]);
});

it("tags are always there, and properties are required", async () => {
  await create(settings("tags"));

  assert.deepEqual((await server.call("GET", settings("tags"))).body["tags"], {});
  const reply = await server.call("PUT", settings("tags"), { body: { location: "global" } });
  assert.match(reply.text, /\$\.properties/);
});

it("systemData says who created and who changed last, from the caller and not from a header", async () => {
  const headers = {
    "x-ms-arm-resource-system-data": JSON.stringify({ createdBy: "mallory", lastModifiedBy: "mallory" }),
  };
  const first = await server.call("PUT", settings("system"), { body: { location: "g", properties: {} }, headers });
  const second = await server.call("PUT", settings("system"), { body: { location: "g", properties: {} }, headers });

  const [before, now] = [first.body["systemData"] as JsonObject, second.body["systemData"] as JsonObject];
  assert.deepEqual([now["createdBy"], now["lastModifiedBy"]], ["local-admin", "local-admin"]);
  assert.equal(now["createdAt"], before["createdAt"]);
  assert.ok(String(now["lastModifiedAt"]) >= String(before["lastModifiedAt"]));
});

it("bodies are JSON without white space, the etag only a header", async () => {
  await create(settings("shape"));

  const reply = await server.call("GET", settings("shape"));

  assert.equal(reply.headers.get("content-type"), "application/json");
  assert.equal(reply.text, JSON.stringify(reply.body));
  assert.match(reply.headers.get("etag") ?? "", /^32-[0-9a-f]{64}$/);
  assert.equal(reply.body["etag"], undefined);
});

it("a document is no larger in the store and in answers than it was sent", async () => {
  const text = `${"[".repeat(380)}${"1,".repeat(99_999)}1${"]".repeat(380)}`;

  const put = await server.call("PUT", settings("deep"), { body: `{"location":"g","properties":{"x":${text}}}` });
  const list = await server.call("GET", settings("").replace("/?", "?"));

  assert.equal(put.status, 200);
  for (const reply of [put, await server.call("GET", settings("deep")), list]) {
    assert.ok(reply.text.includes(text));
    assert.ok(reply.text.length < text.length + 10_000);
  }
  await server.call("DELETE", settings("deep"));
});

it("a synchronous PUT is 200 with an ETag for create and update alike", async () => {
  for (const _ of ["create", "update"]) {
    const reply = await server.call("PUT", settings("sync"), { body: { location: "g", properties: {} } });
    assert.equal(reply.status, 200);
    assert.match(reply.headers.get("etag") ?? "", /^32-/);
    assert.equal((reply.body["properties"] as JsonObject)["provisioningState"], "Succeeded");
  }
});

it("an asynchronous PUT is 201 without an ETag for create and update alike", async () => {
  for (const _ of ["create", "update"]) {
    const reply = await server.call("PUT", widget("async"), { body: { properties: {} } });
    assert.equal(reply.status, 201);
    assert.equal(reply.headers.get("etag"), null);
    assert.equal((reply.body["properties"] as JsonObject)["provisioningState"], "Accepted");
    await server.settle(reply);
  }
});

it("PATCH is 404 when absent, replaces like a PUT, 202 when asynchronous, 405 for user-defined types", async () => {
  const body = { location: "g", properties: { b: 2 } };
  assert.equal((await server.call("PATCH", settings("patched"), { body })).status, 404);
  await create(settings("patched"), { properties: { a: 1 } });
  await create(container("patched"));

  const replaced = await server.call("PATCH", settings("patched"), { body });
  const accepted = await server.call("PATCH", container("patched"), { body });
  const withoutProperties = await server.call("PATCH", settings("patched"), { body: { location: "g" } });

  assert.deepEqual([replaced.status, replaced.body["properties"]], [200, { b: 2, provisioningState: "Succeeded" }]);
  assert.equal(accepted.status, 202);
  assert.equal(withoutProperties.status, 400);
  assert.equal((await server.call("PATCH", widget("a"), { body })).status, 405);
});

it("a synchronous DELETE is 200 with nothing in it, then 204", async () => {
  await create(settings("deleted"));

  const first = await server.call("DELETE", settings("deleted"));

  assert.deepEqual([first.status, first.text, first.headers.get("content-type")], [200, "", null]);
  assert.equal((await server.call("DELETE", settings("deleted"))).status, 204);
});

it("an asynchronous DELETE is 202 with the resource and the links, then 204", async () => {
  await create(widget("deleted"));

  const accepted = await server.call("DELETE", widget("deleted"));

  assert.deepEqual([accepted.status, accepted.body["name"]], [202, "deleted"]);
  assert.equal((await server.settle(accepted))["status"], "Succeeded");
  assert.equal((await server.call("GET", widget("deleted"))).status, 404);
  assert.equal((await server.call("DELETE", widget("deleted"))).status, 204);
});

it("a collection is listed per group, and over all groups at the plane", async () => {
  const other = `${local}/resourcegroups/other`;
  await server.register("Test.Lists", { items: {} });
  await server.call("PUT", `${other}?${systemVersion}`, { body: { location: "global" } });
  await create(`${group}/providers/Test.Lists/items/one?${v}`);
  await create(`${other}/providers/Test.Lists/items/two?${v}`);

  const inGroup = await server.call("GET", `${group}/providers/Test.Lists/items?${v}`);
  const everywhere = await server.call("GET", `${local}/providers/Test.Lists/items?${v}`);

  assert.deepEqual(names(inGroup.body), ["one"]);
  assert.deepEqual(names(everywhere.body), ["one", "two"]);
  const nowhere = await server.call("GET", `${local}/resourcegroups/none/providers/Test.Lists/items?${v}`);
  assert.equal(nowhere.status, 404);
});

it("POST runs an action in any case of its name, and is 404 where there is none", async () => {
  const path = `${group}/providers/Applications.Core/extenders/acted`;
  await create(`${path}?${v}`);

  const reply = await server.call("POST", `${path}/LISTSECRETS?${v}`);

  assert.deepEqual([reply.status, reply.body], [200, { value: 1 }]);
  assert.equal((await server.call("POST", `${path}/other?${v}`)).status, 404);
  const absent = `${group}/providers/Applications.Core/extenders/absent/listSecrets?${v}`;
  assert.equal((await server.call("POST", absent)).status, 404);
});

it("application and environment of a built-in resource cannot change", async () => {
  const properties = { environment: "/planes/radius/local/x/Env", application: "/app" };
  await create(container("fixed"), { properties });

  const sameInOtherCase = await server.call("PUT", container("fixed"), {
    body: { location: "g", properties: { ...properties, environment: "/planes/radius/local/x/ENV" } },
  });
  await server.settle(sameInOtherCase);
  const moved = await server.call("PUT", container("fixed"), {
    body: { location: "g", properties: { ...properties, application: "/other" } },
  });

  assert.equal(sameInOtherCase.status, 201);
  assert.deepEqual([moved.status, moved.code], [400, "BadRequest"]);
  assert.equal((moved.body["error"] as JsonObject)["target"], `${group}/providers/Applications.Core/containers/fixed`);
});

it("status is kept across an update until new work replaces it", async () => {
  await create(at("Test.Arm/reported", "r1"));

  const update = await server.call("PUT", at("Test.Arm/reported", "r1"), { body: { properties: { a: 1 } } });

  assert.deepEqual((update.body["properties"] as JsonObject)["status"], { seen: true });
  await server.settle(update);
});

const policies = [
  ["Applications.Core/environments", "sync"],
  ["Applications.Core/applications", "sync"],
  ["Applications.Core/secretStores", "sync"],
  ["Applications.Core/containers", "async", 20, 20, 5],
  ["Applications.Core/gateways", "async", 20, 20, 5],
  ["Applications.Core/volumes", "async", 2, 2, 5],
  ["Applications.Core/extenders", "async", 60, 30, 5],
  ["Applications.Datastores/redisCaches", "async", 60, 30, 5],
  ["Applications.Messaging/rabbitMQQueues", "async", 60, 30, 5],
  ["Applications.Dapr/stateStores", "async", 60, 30, 5],
  ["Applications.Dapr/pubSubBrokers", "async", 60, 60, 5],
  ["Radius.Core/environments", "sync"],
  ["Radius.Core/terraformSettings", "sync"],
  ["Radius.Security/secrets", "async", 1440, 1440, 5],
  ["Contoso.Anything/things", "async", 1440, 1440, 5],
] as const;
for (const [type, mode, put, del, retryAfter] of policies) {
  it(`${type} is ${mode}`, () => {
    const policy = new TypeModules(builtInTypes, namespacePolicies).policyFor(type.toUpperCase());

    assert.equal(policy.mode, mode);
    if (mode === "async") {
      assert.deepEqual(
        [policy.putTimeoutMs / 60_000, policy.deleteTimeoutMs / 60_000, policy.retryAfterSeconds],
        [put, del, retryAfter],
      );
    }
  });
}

it("a provisioningState sent by the client is ignored", async () => {
  const properties = { provisioningState: "Failed", status: { fake: true } };

  const reply = await server.call("PUT", settings("state"), { body: { location: "g", properties } });

  assert.deepEqual(reply.body["properties"], { provisioningState: "Succeeded" });
});

const conditions = [
  ["If-Match: * on an absent resource", "absent", { "if-match": "*" }, 412],
  ["If-Match: * on a present one", "present", { "if-match": "*" }, 200],
  ["If-Match with another etag", "present", { "if-match": "32-0000" }, 412],
  ["If-None-Match: * on a present resource", "present", { "if-none-match": "*" }, 412],
  ["If-None-Match: * on an absent one", "fresh", { "if-none-match": "*" }, 200],
  ["any other If-None-Match", "present", { "if-none-match": "32-0000" }, 200],
] as const;
for (const [what, name, headers, status] of conditions) {
  it(`${what} is ${status}`, async () => {
    await create(settings("present"));

    const reply = await server.call("PUT", settings(name), { body: { location: "g", properties: {} }, headers });

    assert.equal(reply.status, status);
    if (status === 412) {
      assert.equal(reply.code, "PreconditionFailed");
      assert.match(String((reply.body["error"] as JsonObject)["target"]), /settings/);
    }
  });
}

it("the right etag lets PUT, PATCH and DELETE through, a stale one stops all three", async () => {
  await create(settings("etag"));
  const stale = (await server.call("GET", settings("etag"))).headers.get("etag") ?? "";
  const body = { location: "g", properties: { n: 1 } };
  const updated = await server.call("PUT", settings("etag"), { body, headers: { "if-match": stale } });
  const fresh = updated.headers.get("etag") ?? "";

  assert.equal(updated.status, 200);
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const reply = await server.call(method, settings("etag"), {
      ...(method === "DELETE" ? {} : { body }),
      headers: { "if-match": stale },
    });
    assert.equal(reply.status, 412);
  }
  assert.equal((await server.call("GET", settings("etag"), { headers: { "if-match": "nonsense" } })).status, 200);
  assert.equal((await server.call("DELETE", settings("etag"), { headers: { "if-match": fresh } })).status, 200);
});

it("of two writers at once, each wins or gets 409", async () => {
  await create(settings("race"));
  const body = { location: "g", properties: {} };

  const replies = await Promise.all(Array.from({ length: 12 }, () => server.call("PUT", settings("race"), { body })));

  assert.ok(replies.every((reply) => reply.status === 200 || (reply.status === 409 && reply.code === "Conflict")));
  assert.ok(replies.some((reply) => reply.status === 200));
});

for (const top of ["4", "21", "-5", "abc", "5.5", ""]) {
  it(`top=${top} is refused, on every request`, async () => {
    for (const path of [`/planes?${systemVersion}`, `${group}/providers/Test.Arm/widgets?${v}`, settings("any")]) {
      const reply = await server.call("GET", `${path}&top=${top}`);
      assert.deepEqual([reply.status, reply.code], [400, "BadRequest"]);
    }
  });
}

it("pages are ten long by default, follow nextLink, and miss nothing", async () => {
  await server.register("Test.Paging", { items: {} });
  const list = `${group}/providers/Test.Paging/items`;
  const expected = Array.from({ length: 23 }, (_, index) => `item${String(index).padStart(2, "0")}`);
  for (const name of expected) {
    await create(`${list}/${name}?${v}`);
  }

  for (const [query, sizes] of [
    ["", [10, 10, 3]],
    ["&top=20", [20, 3]],
  ] as const) {
    const seen: unknown[] = [];
    const lengths: number[] = [];
    let link: string | undefined = `${list}?${v}${query}`;
    while (link !== undefined) {
      const { body } = await server.call("GET", link);
      lengths.push((body["value"] as unknown[]).length);
      seen.push(...names(body));
      const next = body["nextLink"];
      link = typeof next === "string" ? next.slice(server.url.length) : undefined;
      assert.ok(next === undefined || String(next).startsWith(`${server.url}${list}?`));
    }
    assert.deepEqual([seen, lengths], [expected, sizes]);
  }
});

it("a skipToken that no list gave out is refused", async () => {
  const reply = await server.call("GET", `${group}/providers/Test.Arm/widgets?${v}&skipToken=nonsense`);

  assert.deepEqual([reply.status, reply.code], [400, "BadRequest"]);
});

it("every problem of a body comes back with its path", async () => {
  const body = { properties: { size: "big", nested: { flag: 1 } } };

  const reply = await server.call("PUT", at("Test.Arm/typed", "bad"), { body });

  const error = reply.body["error"] as JsonObject;
  assert.deepEqual([reply.status, error["code"]], [400, "HttpRequestPayloadAPISpecValidationFailed"]);
  assert.equal(error["target"], "test.arm/typed");
  const details = error["details"] as JsonObject[];
  assert.ok(details.every((item) => item["code"] === "InvalidProperties" && typeof item["message"] === "string"));
  const text = details.map((item) => item["message"]).join("\n");
  for (const path of ["$.properties.size", "$.properties.nested.flag", "$.properties.password"]) {
    assert.ok(text.includes(path), `${path} in ${text}`);
  }
});

it("defaults are added, read-only values dropped, sensitive ones returned as null", async () => {
  const properties = { password: "canary-of-arm", host: "mine", nested: {} };
  const put = await server.call("PUT", at("Test.Arm/typed", "good"), { body: { properties } });
  await server.settle(put);

  const get = await server.call("GET", at("Test.Arm/typed", "good"));
  const list = await server.call("GET", `${group}/providers/Test.Arm/typed?${v}`);

  const expected = { password: null, nested: { flag: true }, size: 3, provisioningState: "Succeeded" };
  assert.deepEqual(get.body["properties"], expected);
  for (const reply of [put, get, list]) {
    assert.doesNotMatch(reply.text, /canary-of-arm/);
  }
  const database = await readFile(`${server.directory}/radius.db`, "latin1");
  assert.doesNotMatch(database, /canary-of-arm/);
});

it("a secret of megabytes is sealed like any other, and the server lives on", async () => {
  const path = at("Test.Arm/typed", "vast");
  const password = "canary-of-vast".repeat(300_000);

  const put = await server.call("PUT", path, { body: { properties: { password } } });
  const refused = await server.call("PUT", path, { body: { properties: { password, size: "no number" } } });

  assert.deepEqual([put.status, refused.status], [201, 400]);
  assert.equal((await server.settle(put))["status"], "Succeeded");
  for (const reply of [put, refused, await server.call("GET", path)]) {
    assert.doesNotMatch(reply.text, /canary-of-vast/);
  }
});

it("no answer is larger than its document, however deep the lists are in which its numbers lie", async () => {
  const body = `{"properties":{"a":${"[".repeat(380)}${"1,".repeat(10_000)}1${"]".repeat(380)}}}`;
  const put = await server.call("PUT", widget("deep"), { body });
  await server.settle(put);

  const get = await server.call("GET", widget("deep"));
  const list = await server.call("GET", `${group}/providers/Test.Arm/widgets?${v}`);
  await server.call("DELETE", widget("deep"));

  for (const { status, text } of [put, get, list]) {
    assert.ok(status < 300, text);
    assert.ok(text.length < body.length + 2_000, `${text.length} characters for ${body.length}`);
  }
});

const wide = Array.from({ length: 100_001 }, (_, index) => `"k${index}":1`).join(",");

const badRequests: readonly (readonly [string, string | Buffer, Record<string, string>, number, string])[] = [
  ["text that is not JSON", "{", {}, 400, "InvalidRequestContent"],
  ["another content type", "a=b", { "content-type": "text/plain" }, 415, "UnsupportedMediaType"],
  ["a body that nests too deep", "[".repeat(1000) + "]".repeat(1000), {}, 400, "InvalidRequestContent"],
  ["a body that nests absurdly deep", "[".repeat(1_000_000), {}, 400, "InvalidRequestContent"],
  ["__proto__", '{"properties":{"__proto__":{"a":1}}}', {}, 400, "InvalidRequestContent"],
  ["constructor", '{"properties":{"constructor":{"prototype":{}}}}', {}, 400, "InvalidRequestContent"],
  ["invalid UTF-8", Buffer.from('{"properties":{"a":"\xff\xfe\xc3("}}', "latin1"), {}, 400, "InvalidRequestContent"],
  ["half a character", '{"properties":{"a":"\\ud800"}}', {}, 400, "InvalidRequestContent"],
  ["a key twice", '{"properties":{"a":1,"a":2}}', {}, 400, "InvalidRequestContent"],
  ["more than 500,000 values", `{"properties":{"a":[${"1,".repeat(500_000)}1]}}`, {}, 413, "RequestEntityTooLarge"],
  ["an object of more than 100,000 members", `{"properties":{"a":{${wide}}}}`, {}, 413, "RequestEntityTooLarge"],
  ["an array", "[]", {}, 400, "HttpRequestPayloadAPISpecValidationFailed"],
  ["null", "null", {}, 400, "HttpRequestPayloadAPISpecValidationFailed"],
  ["no body", "", {}, 400, "HttpRequestPayloadAPISpecValidationFailed"],
  ["more than 8 MiB", JSON.stringify({ properties: { a: "x".repeat(9_000_000) } }), {}, 413, "RequestEntityTooLarge"],
];
for (const [what, body, headers, status, code] of badRequests) {
  it(`a PUT with ${what} is ${status} and stores nothing`, async () => {
    const reply = await server.call("PUT", widget("bad"), { body, headers });

    assert.deepEqual([reply.status, reply.code], [status, code]);
    assert.doesNotMatch(reply.text, /at .*\.ts/);
    assert.equal((await server.call("GET", widget("bad"))).status, 404);
  });
}

it("the answer to a body with endless problems names the first of them", async () => {
  const tags = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`t${index}`, index]));

  const reply = await server.call("PUT", settings("endless"), { body: { location: "global", tags, properties: {} } });

  const error = reply.body["error"] as JsonObject;
  const messages = (error["details"] as JsonObject[]).map(({ message }) => message);
  assert.deepEqual(
    [messages.length, messages[0], messages.at(-1)],
    [51, "$.tags.t0 in body must be a string", "950 more are left out"],
  );
});

it("a body may begin with a byte order mark", async () => {
  const reply = await server.call("PUT", settings("marked"), {
    body: '\uFEFF{"location":"global","properties":{"a":1}}',
  });

  assert.equal(reply.status, 200);
  assert.equal((reply.body["properties"] as JsonObject)["a"], 1);
});

it("too large headers are 431 with an error body", async () => {
  const reply = await server.call("GET", `/planes?${systemVersion}`, { headers: { "x-large": "x".repeat(20_000) } });

  assert.deepEqual([reply.status, reply.code], [431, "RequestHeaderFieldsTooLarge"]);
});

for (const name of ["1abc", "a_b", "a.b", "x".repeat(64)]) {
  it(`'${name.slice(0, 8)}' is no resource name`, async () => {
    const reply = await server.call("PUT", widget(name), { body: { properties: {} } });

    assert.deepEqual([reply.status, reply.code], [400, "InvalidRequestContent"]);
  });
}

it("the correlation id reaches the audit, the forwarded scheme the links", async () => {
  const headers = { "x-ms-correlation-request-id": "corr-42", "x-forwarded-proto": "https" };

  const reply = await server.call("PUT", widget("headers"), { body: { properties: {} }, headers });

  assert.match(reply.headers.get("location") ?? "", /^https:\/\//);
  const audit = (await server.call("GET", "/audit")).text.split("\n").filter((line) => line.includes("corr-42"));
  assert.ok(audit.length >= 1);
});

it("a deployment's providerconfig keeps its spelling", async () => {
  const id = at("Microsoft.Resources/deployments", "d1").replace(/api-version=.*/, "api-version=2020-10-01");
  const scope = { scope: group };
  const providerconfig = { radius: { type: "radius", value: scope }, deployments: { type: "x", value: scope } };

  const reply = await server.call("PUT", id, { body: { properties: { template: radiusTemplate(), providerconfig } } });

  assert.partialDeepStrictEqual(reply.body["properties"], { providerconfig });
});

function names(body: JsonObject): unknown[] {
  return (body["value"] as JsonObject[]).map((item) => item["name"]);
}
