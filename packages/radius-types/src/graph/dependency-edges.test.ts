import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce, type JsonValue } from "@rad/core";
import { applicationId, environmentId, inGroup } from "../testing/ids.ts";
import { applicationGraph } from "./application-graph.ts";
import { readDependencyEdges, withDependencies } from "./dependency-edges.ts";
import type { GraphConnection } from "./graph-shape.ts";

const webId = inGroup("Radius.Compute/containers/web");
const cacheId = inGroup("Radius.Data/redisCaches/cache");
const queueId = inGroup("Radius.Messaging/kafka/queue");

const nodes = atOnce(
  applicationGraph([
    { id: webId, properties: { connections: { cache: { source: cacheId } } }, isMember: true },
    ...[cacheId, queueId, applicationId, environmentId].map((id) => ({ id, properties: {}, isMember: true })),
  ]),
);

function connectionsOf(id: string, edges: JsonValue | undefined): GraphConnection[] | undefined {
  return atOnce(withDependencies(nodes, readDependencyEdges(edges))).find((node) => node.id === id)?.connections;
}

test("without dependencies every connection says that it is one", () => {
  assert.deepEqual(connectionsOf(webId, undefined), [{ id: cacheId, direction: "Outbound", kind: "Connection" }]);
  assert.deepEqual(connectionsOf(cacheId, undefined), [{ id: webId, direction: "Inbound", kind: "Connection" }]);
});

test("a dependency is told at both ends, beside connections, which win", () => {
  const edges = {
    [webId.toLowerCase()]: [
      { id: queueId.toUpperCase().replace("/PLANES", "/planes"), direction: "Outbound", kind: "Dependency" },
      { id: queueId, direction: "Outbound", kind: "Dependency" },
      { id: cacheId, direction: "Outbound", kind: "Dependency" },
    ],
    [queueId]: [{ id: webId, direction: "Outbound", kind: "Dependency" }],
  };

  assert.deepEqual(connectionsOf(webId, edges), [
    { id: queueId, direction: "Inbound", kind: "Dependency" },
    { id: cacheId, direction: "Outbound", kind: "Connection" },
    { id: queueId, direction: "Outbound", kind: "Dependency" },
  ]);
  assert.deepEqual(connectionsOf(queueId, edges), [
    { id: webId, direction: "Inbound", kind: "Dependency" },
    { id: webId, direction: "Outbound", kind: "Dependency" },
  ]);
});

for (const [what, edges] of [
  ["from itself", { [queueId]: [{ id: queueId }] }],
  ["on its application", { [queueId]: [{ id: applicationId }] }],
  ["of its environment", { [environmentId]: [{ id: queueId }] }],
  ["on something unknown", { [queueId]: [{ id: inGroup("A.B/c/d") }] }],
  ["that is no id", { [queueId]: [{ id: "cache" }] }],
  ["the other way round", { [queueId]: [{ id: webId, direction: "Inbound" }] }],
  ["of another kind", { [queueId]: [{ id: webId, kind: "Connection" }] }],
  ["that is no object", { [queueId]: [webId, null, 1, []] }],
  ["that is no list", { [queueId]: webId }],
  ["in a list", [queueId]],
] as const satisfies readonly (readonly [string, unknown])[]) {
  test(`a dependency ${what} is left out`, () => {
    assert.deepEqual(connectionsOf(queueId, edges as unknown as JsonValue), []);
  });
}
