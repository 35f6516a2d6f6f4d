// One test per rule of the API's addressing: ids, casing, base paths, api-versions.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { moduleResource, radiusResource, radiusTemplate } from "../../testing/templates.ts";
import { RawConnection } from "../support/raw-connection.ts";
import { local, registry, startTestServer, systemVersion, type TestServer } from "../../testing/test-server.ts";

let server: TestServer;
const group = `${local}/resourcegroups/addressing`;
const widget = `${group}/providers/Test.Addressing/widgets`;
const v = "api-version=2025-01-01";

before(async () => {
  server = await startTestServer();
  await server.register("Test.Addressing", { widgets: {} });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
});
after(() => server[Symbol.asyncDispose]());

const invalidPaths = [
  ["a leading double slash", `//planes/radius/local?${systemVersion}`],
  ["an empty segment in the middle", `/planes/radius//local?${systemVersion}`],
  ["a scope type without a name before providers", `/planes/radius/providers/A.B/c/d?${systemVersion}`],
  ["providers with a namespace only below a group", `${group}/providers/Test.Addressing?${v}`],
  ["providers at the end", `${group}/providers?${v}`],
  ["a third providers", `${widget}/a/providers/C.D/e/f/providers/G.H/i/j?${v}`],
  ["broken percent encoding", `/planes/radius/%zz?${systemVersion}`],
  ["percent-encoded bytes that are not UTF-8", `${widget}/a%ff?${v}`],
  ["bytes in the query that are not UTF-8", `${widget}/a?${v}&x=%c3%28`],
  ["an encoded slash", `${widget}/a%2Fb?${v}`],
  ["an encoded NUL", `${widget}/a%00b?${v}`],
] as const;
for (const [what, path] of invalidPaths) {
  it(`${what} is a bad request`, async () => {
    const reply = await server.call("GET", path);

    assert.deepEqual([reply.status, reply.code], [400, "BadRequest"]);
  });
}

it("bytes that are not percent-encoded are a bad request", async () => {
  using connection = await RawConnection.open(server.url);
  connection.send(Buffer.from(`GET ${widget}/\xe9?${v} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`, "latin1"));

  assert.match(await connection.end(), /^HTTP\/1\.1 400 [^]*"BadRequest"/);
});

it("one trailing slash is tolerated", async () => {
  assert.equal((await server.call("GET", `${group}/?${systemVersion}`)).status, 200);
});

it("providers is recognised in any case and written in lower case", async () => {
  const reply = await server.call("PUT", `${group}/PROVIDERS/Test.Addressing/widgets/p1?${v}`, {
    body: { properties: {} },
  });

  assert.equal(reply.body["id"], `${widget}/p1`);
});

it("a POST names an action of the resource before it", async () => {
  await server.settle(await server.call("PUT", `${widget}/acted?${v}`, { body: { properties: {} } }));

  const reply = await server.call("POST", `${widget}/acted/doIt?${v}`);

  assert.deepEqual([reply.status, reply.code], [404, "NotFound"]);
  assert.match(reply.text, /no action 'doIt'/);
});

it("planes and resourceGroups are taken in any case and returned in lower case", async () => {
  const reply = await server.call("GET", `/PLANES/radius/local/ResourceGroups/addressing?${systemVersion}`);

  assert.equal(reply.body["id"], group);
});

for (const type of ["Radius", "RADIUS", "gcp", "kubernetes"]) {
  it(`the plane type ${type} is not one of radius, azure, aws`, async () => {
    const reply = await server.call("GET", `/planes/${type}/local?${systemVersion}`);

    assert.deepEqual([reply.status, reply.code], [400, "InvalidPlaneType"]);
  });
}

for (const spelling of ["resourceproviders", "resourceProviders", "RESOURCEPROVIDERS"]) {
  it(`the registry answers to ${spelling}`, async () => {
    const path = `${local}/providers/system.resources/${spelling}/Test.Addressing?${systemVersion}`;

    assert.equal((await server.call("GET", path)).status, 200);
  });
}

it("the casing of the first PUT stays, and every casing finds the resource", async () => {
  await server.settle(await server.call("PUT", `${widget}/CamelCase?${v}`, { body: { properties: {} } }));
  await server.settle(await server.call("PUT", `${widget}/camelcase?${v}`, { body: { properties: { again: true } } }));

  const reply = await server.call(
    "GET",
    `${widget.toUpperCase().replace("/PLANES/RADIUS", "/planes/radius")}/CAMELCASE?${v}`,
  );

  assert.equal(reply.status, 200);
  assert.deepEqual([reply.body["id"], reply.body["name"]], [`${widget}/CamelCase`, "CamelCase"]);
});

it("a Referer that names the same resource decides the links, but not the casing of a provider's resource", async () => {
  const original = `${local}/resourceGroups/Addressing/providers/Test.Addressing/Widgets/FromReferer`;
  const headers = { referer: `https://front.example:8443/base/path${original}?${v}` };

  const reply = await server.call("PUT", `${widget}/fromreferer?${v}`, { body: { properties: {} }, headers });

  assert.equal(reply.body["id"], `${widget}/fromreferer`);
  assert.match(
    reply.headers.get("location") ?? "",
    /^https:\/\/front\.example:8443\/base\/path\/planes\/radius\/local\/providers\/Test\.Addressing\/locations\/global\//,
  );
});

it("a Referer decides the casing of a group's name, never that of resourcegroups", async () => {
  const headers = { referer: `https://front.example${local}/resourceGroups/FromReferer` };

  const reply = await server.call("PUT", `${local}/resourcegroups/fromreferer?${systemVersion}`, {
    body: { location: "global" },
    headers,
  });

  assert.equal(reply.body["id"], `${local}/resourcegroups/FromReferer`);
});

it("a deployment's ids are spelled like those of a PUT; what resourceId() makes in a template is not", async () => {
  const scope = group.replace("resourcegroups", "resourceGroups");
  const inner = radiusTemplate({ resources: { deep: radiusResource("Test.Addressing/widgets@2025-01-01", "deep") } });
  const template = radiusTemplate({
    resources: {
      made: radiusResource("Test.Addressing/widgets@2025-01-01", "made"),
      nested: moduleResource("inner", inner),
    },
    outputs: {
      id: { type: "string", value: "[reference('made').id]" },
      called: { type: "string", value: "[resourceId('Test.Addressing/widgets', 'made')]" },
    },
  });
  const radius = { type: "Radius", value: { scope } };
  const deployments = { type: "Microsoft.Resources", value: { scope } };
  const path = `${group}/providers/Microsoft.Resources/deployments/spelled`;

  const put = await server.call("PUT", `${path}?api-version=2020-10-01`, {
    body: { properties: { template, mode: "Incremental", providerconfig: { radius, deployments } } },
  });
  await server.settle(put);

  const ended = await server.call("GET", `${path}?api-version=2020-10-01`);
  const { outputs } = ended.body["properties"] as JsonObject;
  assert.deepEqual(outputs, {
    id: { type: "String", value: `${widget}/made` },
    called: { type: "String", value: `${scope}/providers/Test.Addressing/widgets/made` },
  });
  for (const at of [`${widget}/made?${v}`, `${widget}/deep?${v}`, `${path}/operations?api-version=2020-10-01`]) {
    assert.doesNotMatch((await server.call("GET", at)).text, /resourceGroups/, at);
  }
  const nested = `${group}/providers/Microsoft.Resources/deployments/inner`;
  assert.equal((await server.call("GET", `${nested}?api-version=2020-10-01`)).body["id"], nested);
  const { outputResources } = ended.body["properties"] as JsonObject;
  assert.doesNotMatch(JSON.stringify(outputResources), /resourceGroups/);
});

it("a Referer that names something else is ignored", async () => {
  const headers = { referer: `https://other.example${widget}/somebodyElse` };

  const reply = await server.call("PUT", `${widget}/own?${v}`, { body: { properties: {} }, headers });

  assert.equal(reply.body["id"], `${widget}/own`);
  assert.ok(reply.headers.get("location")?.startsWith(server.url));
});

for (const base of ["", "/apis/api.ucp.dev/v1alpha3"]) {
  it(`the API is served under '${base}', and its links stay there`, async () => {
    const reply = await server.call("PUT", `${base}${widget}/based?${v}`, { body: { properties: {} } });

    assert.equal(reply.status, 201);
    assert.equal(reply.body["id"], `${widget}/based`);
    const link = reply.headers.get("azure-asyncoperation") ?? "";
    assert.ok(link.startsWith(`${server.url}${base}${local}/providers/`));
    await server.settle(reply);
  });
}

it("the configured base path is served too", async () => {
  await using other = await startTestServer({ overrides: { server: { pathBase: "/radius/api" } } });

  assert.equal((await other.call("GET", `/radius/api/planes?${systemVersion}`)).status, 200);
  assert.equal((await other.call("GET", "/radius/api", { token: null })).body["kind"], "APIResourceList");
});

const anonymous = [
  ["/apis/api.ucp.dev/v1alpha3", { kind: "APIResourceList", groupVersion: "api.ucp.dev/v1alpha3", resources: [] }],
  ["/openapi/v2", { swagger: "2.0", paths: {} }],
  ["/openapi/v3", { openapi: "3.0.0", paths: {} }],
  ["/version", { channel: "edge" }],
] as const;
for (const [path, members] of anonymous) {
  it(`${path} is open to everybody`, async () => {
    const reply = await server.call("GET", path, { token: null });

    assert.equal(reply.status, 200);
    assert.partialDeepStrictEqual(reply.body, members);
  });
}

for (const path of ["/healthz", "/readyz"]) {
  it(`${path} is open to everybody`, async () => {
    assert.equal((await server.call("GET", path, { token: null })).status, 200);
  });
}

for (const path of [`/planes`, `/metrics`, `/audit`, `/openapi.json`, `${registry}/Test.Addressing`]) {
  it(`${path} is not open to everybody`, async () => {
    const reply = await server.call("GET", `${path}?${systemVersion}`, { token: null });

    assert.deepEqual([reply.status, reply.code], [401, "InvalidAuthenticationInfo"]);
  });
}

const fixedApi = [
  "/planes",
  "/planes/radius",
  local,
  `${local}/resourcegroups`,
  group,
  `${group}/resources`,
  `${local}/providers`,
  `${local}/providers/Test.Addressing`,
  registry,
  `${registry}/Test.Addressing`,
  `${registry}/Test.Addressing/locations`,
  `${registry}/Test.Addressing/resourcetypes/widgets/apiversions`,
];
for (const path of fixedApi) {
  it(`${path} takes only 2023-10-01-preview`, async () => {
    assert.equal((await server.call("GET", `${path}?${systemVersion}`)).status, 200);
    for (const query of ["", "?api-version=2020-01-01", "?api-version="]) {
      const reply = await server.call("GET", `${path}${query}`);

      assert.deepEqual([reply.status, reply.code], [400, "InvalidApiVersionParameter"]);
      assert.match(reply.text, /2023-10-01-preview/);
    }
  });
}

for (const query of ["", "?api-version=2024-01-01", "?api-version=2025-01-01-PREVIEW"]) {
  it(`a registered type refuses '${query}' and lists what it takes`, async () => {
    const reply = await server.call("GET", `${widget}${query}`);

    assert.deepEqual([reply.status, reply.code], [400, "BadRequest"]);
    assert.match(reply.text, /2025-01-01/);
  });
}

it("operation statuses need no api-version", async () => {
  const accepted = await server.call("PUT", `${widget}/status?${v}`, { body: { properties: {} } });
  const link = new URL(accepted.headers.get("azure-asyncoperation") ?? "");

  assert.equal((await server.call("GET", link.pathname)).status, 200);
});

it("an unknown route is not found, and a wrong method is not allowed", async () => {
  for (const path of ["/nothing", "/subscriptions/x", `${group}/nothing/at/all`]) {
    const reply = await server.call("GET", path);
    assert.deepEqual([reply.status, reply.code], [404, "NotFound"]);
  }
  for (const [method, path] of [
    ["POST", "/planes"],
    ["DELETE", `${local}/resourcegroups`],
    ["PUT", widget],
    ["PATCH", `${widget}/x`],
    ["POST", widget],
    ["POST", `${widget}/x`],
  ] as const) {
    const reply = await server.call(method, `${path}?${v}`, { body: {} });
    assert.deepEqual([method, reply.status, reply.code], [method, 405, "BadRequest"]);
  }
});

it("a POST names an action of a deployment, or is not allowed", async () => {
  const deployments = `${group}/providers/Microsoft.Resources/deployments`;

  for (const path of [deployments, `${deployments}/x`, `${deployments}/x/operations/y`]) {
    const reply = await server.call("POST", `${path}?api-version=2020-10-01`, { body: {} });
    assert.deepEqual([path, reply.status, reply.code], [path, 405, "BadRequest"]);
  }
});

it("a collection of extension resources has those of the one resource", async () => {
  for (const path of [`${widget}/one`, `${widget}/two`, `${widget}/one/providers/Test.Addressing/widgets/more`]) {
    await server.settle(await server.call("PUT", `${path}?${v}`, { body: { properties: {} } }));
  }
  const extensionsOf = async (name: string): Promise<unknown> => {
    const reply = await server.call("GET", `${widget}/${name}/providers/Test.Addressing/widgets?${v}`);
    return reply.status === 200 ? (reply.body["value"] as JsonObject[]).map((item) => item["name"]) : reply.status;
  };

  assert.deepEqual(await extensionsOf("one"), ["more"]);
  assert.deepEqual(await extensionsOf("two"), []);
  assert.equal(await extensionsOf("none"), 404);
});
