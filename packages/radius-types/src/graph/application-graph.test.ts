import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce, type JsonObject } from "@rad/core";
import fc from "fast-check";
import { inGroup } from "../testing/ids.ts";
import { applicationGraph } from "./application-graph.ts";
import type { GraphNode, KnownResource } from "./graph-shape.ts";

const webId = inGroup("Applications.Core/containers/web");
const edgeId = inGroup("Applications.Core/gateways/edge");
const cacheId = inGroup("Applications.Datastores/redisCaches/cache");
const bucketId = "/planes/aws/aws/accounts/1/regions/r/providers/AWS.S3/Bucket/photos";

const member = (id: string, properties: JsonObject = {}): KnownResource => ({ id, properties, isMember: true });
const shared = (id: string, properties: JsonObject = {}): KnownResource => ({ id, properties, isMember: false });
const graph = (...resources: readonly KnownResource[]): GraphNode[] => atOnce(applicationGraph(resources));

/** `from -> to` for every outbound connection, by name. */
function edges(nodes: readonly GraphNode[]): string[] {
  const name = (id: string): string => id.slice(id.lastIndexOf("/") + 1);
  return nodes.flatMap((node) =>
    node.connections.filter(({ direction }) => direction === "Outbound").map(({ id }) => `${node.name} -> ${name(id)}`),
  );
}

test("a gateway leads to a container and that to a cache, each edge told at both ends", () => {
  const nodes = graph(
    member(edgeId, { routes: [{ path: "/", destination: "http://web:3000" }] }),
    member(webId, {
      provisioningState: "Updating",
      application: "a",
      connections: { cache: { source: cacheId } },
      status: { outputResources: [{ id: "/planes/kubernetes/local/namespaces/n/providers/apps/Deployment/web" }] },
    }),
    shared(cacheId),
  );

  assert.deepEqual(nodes, [
    {
      id: webId,
      name: "web",
      type: "Applications.Core/containers",
      provisioningState: "Updating",
      connections: [
        { id: edgeId, direction: "Inbound" },
        { id: cacheId, direction: "Outbound" },
      ],
      outputResources: [
        {
          id: "/planes/kubernetes/local/namespaces/n/providers/apps/Deployment/web",
          type: "apps/Deployment",
          name: "web",
        },
      ],
      properties: { application: "a" },
    },
    {
      id: edgeId,
      name: "edge",
      type: "Applications.Core/gateways",
      provisioningState: "Succeeded",
      connections: [{ id: webId, direction: "Outbound" }],
      outputResources: [],
      properties: { routes: [{ path: "/", destination: "http://web:3000" }] },
    },
    {
      id: cacheId,
      name: "cache",
      type: "Applications.Datastores/redisCaches",
      provisioningState: "Succeeded",
      connections: [{ id: webId, direction: "Inbound" }],
      outputResources: [],
    },
  ]);
});

for (const [what, sources, expected] of [
  ["an id", cacheId, ["web -> cache"]],
  ["an id in other letter case", cacheId.toUpperCase().replace("/PLANES", "/planes"), ["web -> cache"]],
  ["an id that nobody knows", bucketId, ["web -> photos"]],
  ["a URL", "redis://cache:6379/0", ["web -> cache"]],
  ["a URL in other letter case", "HTTP://Cache:80", ["web -> cache"]],
  ["a host and a port", "cache:6379", ["web -> cache"]],
  ["a host", "cache", ["web -> cache"]],
  ["a host that nobody has", "http://elsewhere:80", []],
  ["its own name", "http://web:80", []],
  ["a path", "/cache", []],
  ["the id of a group", "/planes/radius/local/resourceGroups/app", []],
  ["no URL", "http://[", []],
  ["nothing", "", []],
] as const) {
  test(`a connection to ${what} ${expected.length === 0 ? "is left out" : "is an edge"}`, () => {
    const nodes = graph(member(webId, { connections: { one: { source: sources } } }), shared(cacheId));

    assert.deepEqual(edges(nodes), expected);
  });
}

test("connections may be a list, and two to the same resource are one edge", () => {
  const nodes = graph(member(webId, { connections: [{ source: cacheId }, { source: "cache" }] }), shared(cacheId));

  assert.deepEqual(edges(nodes), ["web -> cache"]);
});

test("what the environment shares is shown when something leads to it, and is followed further", () => {
  const other = inGroup("Applications.Core/containers/other");
  const nodes = graph(
    member(webId, { connections: { a: { source: cacheId } } }),
    shared(cacheId, { connections: { b: { source: bucketId } } }),
    shared(other, { connections: { c: { source: webId } } }),
  );

  assert.deepEqual(edges(nodes), ["web -> cache", "cache -> photos"]);
  assert.deepEqual(
    nodes.find(({ name }) => name === "photos"),
    {
      id: bucketId,
      name: "photos",
      type: "AWS.S3/Bucket",
      provisioningState: "Succeeded",
      connections: [{ id: cacheId, direction: "Inbound" }],
      outputResources: [],
    },
  );
});

test("a circle ends", () => {
  const nodes = graph(
    member(webId, { connections: { a: { source: cacheId } } }),
    member(cacheId, { connections: { b: { source: webId } } }),
  );

  assert.deepEqual(edges(nodes), ["web -> cache", "cache -> web"]);
});

test("a host name means a resource of the application before one of the environment", () => {
  const mine = inGroup("Test.Last/things/db");
  const nodes = graph(
    member(webId, { connections: { a: { source: "db" } } }),
    member(mine),
    shared(inGroup("A.First/things/db")),
  );

  assert.deepEqual(nodes.find(({ id }) => id === webId)?.connections, [{ id: mine, direction: "Outbound" }]);
  assert.equal(nodes.length, 2);
});

test("output resources that cannot be read are left out, the others sorted by type, name and id", () => {
  const output = (path: string): JsonObject => ({ id: `/planes/kubernetes/local/namespaces/${path}` });
  const ids = ["n/providers/core/Service/b", "n/providers/core/Service/a", "m/providers/core/Service/a"];
  const outputs = [...ids.map(output), { id: "no id" }, {}, "text", null];

  const [node] = graph(member(webId, { status: { outputResources: outputs } }));

  assert.deepEqual(
    node?.outputResources.map(({ id }) => id.slice("/planes/kubernetes/local/namespaces/".length)),
    ["m/providers/core/Service/a", "n/providers/core/Service/a", "n/providers/core/Service/b"],
  );
});

test("any properties give a graph, the same in every order, whose edges are told at both ends", () => {
  const ids = [webId, edgeId, cacheId, bucketId];
  const source = fc.oneof(fc.constantFrom(...ids, "web", "http://edge:1", "//cache"), fc.string());
  const entry = fc.oneof(fc.record({ source, destination: source }), fc.jsonValue());
  const entries = fc.oneof(fc.array(entry), fc.dictionary(fc.string(), entry), fc.jsonValue());
  const properties = fc.record(
    { connections: entries, routes: entries, status: fc.jsonValue(), provisioningState: fc.jsonValue() },
    { requiredKeys: [] },
  );
  const resource = fc.record({
    id: fc.oneof(fc.constantFrom(...ids), fc.string()),
    properties,
    isMember: fc.boolean(),
  }) as fc.Arbitrary<KnownResource>;

  fc.assert(
    fc.property(fc.uniqueArray(resource, { selector: ({ id }) => id.toLowerCase() }), (resources) => {
      const nodes = graph(...resources);

      assert.deepEqual(nodes, graph(...resources.toReversed()));
      const told = new Set(
        nodes.flatMap((node) => node.connections.map(({ id, direction }) => `${node.id} ${direction} ${id}`)),
      );
      for (const node of nodes) {
        for (const { id, direction } of node.connections) {
          assert.ok(told.has(`${id} ${direction === "Outbound" ? "Inbound" : "Outbound"} ${node.id}`));
        }
      }
    }),
  );
});

test("thousands of resources that all have one name and all use the same one give way to other work", async () => {
  const resources = Array.from({ length: 5_000 }, (_, index) =>
    member(inGroup(`Test.Many/types${index}/web`), {
      connections: { cache: { source: cacheId }, web: { source: "web" } },
    }),
  );
  let pauses = 0;
  const work = applicationGraph(resources);
  let step = work.next();
  while (step.done !== true) {
    pauses += 1;
    await step.value;
    step = work.next();
  }

  assert.equal(step.value.length, 5_001);
  assert.ok(pauses > 0);
});
