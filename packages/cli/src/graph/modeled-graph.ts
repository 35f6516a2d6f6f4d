import { createHash } from "node:crypto";
import { atOnce, type JsonObject, type JsonValue } from "@rad/core";
import { applicationGraph, type GraphNode, isScopeType, withDependencies } from "@rad/radius-types/graph";
import type { ModeledResource } from "./modeled-resources.ts";

/** A node of a file's graph: its hash changes whenever the file says something else about the resource. */
export type ModeledNode = GraphNode & { diffHash?: string };

/** The graph of everything in a file but applications, environments and recipe packs. */
export function modeledGraph(resources: readonly ModeledResource[]): ModeledNode[] {
  const members = resources.filter(({ type }) => !isScopeType(type));
  const nodes = atOnce(applicationGraph(members.map(({ id, properties }) => ({ id, properties, isMember: true }))));
  const edges = new Map(members.map(({ id, dependsOn }) => [id, dependsOn]));
  const hashes = new Map(members.map((resource) => [resource.id.toLowerCase(), diffHash(resource)]));
  return atOnce(withDependencies(nodes, edges)).map((node) => {
    const hash = hashes.get(node.id.toLowerCase());
    return hash === undefined ? node : { ...node, diffHash: hash };
  });
}

/** What a file's `dependsOn` says, in the form in which `getGraph` of Radius.Core takes it. */
export function dependsOnEdges(resources: readonly ModeledResource[]): JsonObject {
  return Object.fromEntries(
    resources
      .filter(({ dependsOn }) => dependsOn.length > 0)
      .map(({ id, dependsOn }) => [
        id,
        dependsOn.map((target) => ({ id: target, direction: "Outbound", kind: "Dependency" })),
      ]),
  );
}

function diffHash({ type, id, properties }: ModeledResource): string {
  const name = id.slice(id.lastIndexOf("/") + 1);
  const text = JSON.stringify(sorted({ type, name, properties }));
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}

/** The order of members says nothing. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
