// `POST {application}/getGraph` of both families, as clients of the API see it.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { JsonObject } from "@rad/core";
import { assign, configuredTokens, createIdentity } from "../testing/identities.ts";
import { local, startTestServer, systemVersion, type TestServer } from "../testing/test-server.ts";

const group = `${local}/resourcegroups/team`;
const core = "api-version=2023-10-01-preview";
const radius = "api-version=2025-08-01-preview";
const idOf = (typeAndName: string): string => `${group}/providers/${typeAndName}`;

const reader = createIdentity("reader");
/** May ask for graphs, and read caches only. */
const cacheReader = createIdentity("cache-reader");
const stranger = createIdentity("stranger");

let server: TestServer;
before(async () => {
  server = await startTestServer({
    overrides: {
      authentication: configuredTokens(reader, cacheReader, stranger),
      authorization: {
        roles: [
          {
            name: "cache-reader",
            permissions: ["Applications.Core/applications/*/action", "Applications.Datastores/redisCaches/read"],
          },
        ],
        assignments: [assign("radius-reader", reader, "/"), assign("cache-reader", cacheReader, group)],
      },
    },
  });
  await server.call("PUT", `${group}?${systemVersion}`, { body: { location: "global" } });
  const environment = idOf("Applications.Core/environments/dev");
  const application = idOf("Applications.Core/applications/shop");
  await put(`${environment}?${core}`, { compute: { kind: "kubernetes", namespace: "dev" } });
  await put(`${application}?${core}`, { environment });
  await put(`${idOf("Applications.Datastores/redisCaches/cache")}?${core}`, {
    environment,
    application,
    resourceProvisioning: "manual",
    host: "cache.internal",
    port: 6379,
  });
  await put(`${idOf("Applications.Core/containers/web")}?${core}`, {
    application,
    container: { image: "web", ports: { http: { containerPort: 3000 } } },
    connections: { cache: { source: idOf("Applications.Datastores/redisCaches/cache") } },
  });
  await put(`${idOf("Radius.Core/environments/next")}?${radius}`, { simulated: true });
  await put(`${idOf("Radius.Core/applications/next")}?${radius}`, {
    environment: idOf("Radius.Core/environments/next"),
  });
  for (const name of ["a", "b"]) {
    await put(`${idOf(`Radius.Data/redisCaches/${name}`)}?${radius}`, {
      environment: idOf("Radius.Core/environments/next"),
      application: idOf("Radius.Core/applications/next"),
    });
  }
});
after(() => server[Symbol.asyncDispose]());

async function put(path: string, properties: JsonObject): Promise<void> {
  const reply = await server.call("PUT", path, { body: { location: "global", properties } });
  assert.ok(reply.status === 200 || reply.status === 201, reply.text);
  if (reply.headers.has("azure-asyncoperation")) {
    const ended = await server.settle(reply);
    assert.equal(ended["status"], "Succeeded", JSON.stringify(ended));
  }
}

const graphOf = (application: string, version: string): string => `${idOf(application)}/getGraph?${version}`;
const shop = graphOf("Applications.Core/applications/shop", core);

it("the graph of an application has its resources with their connections at both ends", async () => {
  const reply = await server.call("POST", shop, { body: {} });

  assert.equal(reply.status, 200, reply.text);
  const [web, cache, ...others] = reply.body["resources"] as JsonObject[];
  assert.deepEqual(others, []);
  assert.partialDeepStrictEqual(web, {
    id: idOf("Applications.Core/containers/web"),
    name: "web",
    type: "Applications.Core/containers",
    provisioningState: "Succeeded",
    connections: [{ id: idOf("Applications.Datastores/redisCaches/cache"), direction: "Outbound" }],
    properties: { container: { image: "web" } },
  });
  assert.partialDeepStrictEqual(cache, {
    connections: [{ id: idOf("Applications.Core/containers/web"), direction: "Inbound" }],
  });
  assert.ok(!("iconHash" in (web ?? {})));
});

it("the name of the action may be in any letter case, and it needs no body", async () => {
  const reply = await server.call("POST", shop.replace("getGraph", "GETGRAPH"));

  assert.equal(reply.status, 200, reply.text);
});

it("the graph of a Radius.Core application takes dependencies and has icon hashes", async () => {
  const [a, b] = [idOf("Radius.Data/redisCaches/a"), idOf("Radius.Data/redisCaches/b")];

  const reply = await server.call("POST", graphOf("Radius.Core/applications/next", radius), {
    body: { includeIcons: true, dependsOnEdges: { [a]: [{ id: b, direction: "Outbound", kind: "Dependency" }] } },
  });

  const [first, second] = reply.body["resources"] as JsonObject[];
  assert.deepEqual(first?.["connections"], [{ id: b, direction: "Outbound", kind: "Dependency" }]);
  assert.deepEqual(second?.["connections"], [{ id: a, direction: "Inbound", kind: "Dependency" }]);
  assert.match(String(first?.["iconHash"]), /^[0-9a-f]{64}$/);
  assert.deepEqual(reply.body["icons"], {});
});

it("a reader sees the graph, somebody without a role does not, and nobody sees what they may not read", async () => {
  const all = await server.call("POST", shop, { token: reader.token });
  const none = await server.call("POST", shop, { token: stranger.token });
  const some = await server.call("POST", shop, { token: cacheReader.token });

  assert.equal((all.body["resources"] as JsonObject[]).length, 2);
  assert.equal(none.status, 403);
  assert.deepEqual(
    (some.body["resources"] as JsonObject[]).map(({ name, connections }) => ({ name, connections })),
    [{ name: "cache", connections: [] }],
  );
});

it("an application that is not there has no graph", async () => {
  const reply = await server.call("POST", graphOf("Applications.Core/applications/none", core));

  assert.equal(reply.status, 404);
});
