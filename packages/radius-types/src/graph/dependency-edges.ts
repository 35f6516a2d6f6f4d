import { isJsonObject, type JsonValue, Pace, ResourceId, type Sliced } from "@rad/core";
import { families } from "../families.ts";
import { byText } from "./by-text.ts";
import type { EdgeKind, GraphConnection, GraphNode } from "./graph-shape.ts";

/** What a template's `dependsOn` says about the nodes of a graph: source id → what it depends on. */
export type DependencyEdges = ReadonlyMap<string, readonly string[]>;

/** Reads `dependsOnEdges` of a request. What is not of the agreed shape is left out. */
export function readDependencyEdges(value: JsonValue | undefined): DependencyEdges {
  return new Map(
    Object.entries(isJsonObject(value) ? value : {}).map(([source, edges]) => [
      source,
      (Array.isArray(edges) ? edges : []).flatMap((edge) => {
        const { id, direction = "Outbound", kind = "Dependency" } = isJsonObject(edge) ? edge : {};
        return typeof id === "string" && direction === "Outbound" && kind === "Dependency" ? [id] : [];
      }),
    ]),
  );
}

/**
 * Says of each connection that it is one, and adds dependencies between resources that are both in the graph and are not
 * connected already.
 */
export function* withDependencies(nodes: readonly GraphNode[], edges: DependencyEdges): Sliced<GraphNode[]> {
  const pace = new Pace();
  const ends = new Map(nodes.map((node) => [node.id.toLowerCase(), toEnd(node)]));
  for (const [source, targets] of edges) {
    const from = endOf(source, ends);
    for (const target of from === undefined ? [] : targets) {
      const pause = pace.spend();
      if (pause !== undefined) {
        yield pause;
      }
      const to = endOf(target, ends);
      if (from !== undefined && to !== undefined && from !== to && !from.leadsTo.has(to.node.id)) {
        from.leadsTo.add(to.node.id);
        from.node.connections.push({ id: to.node.id, direction: "Outbound", kind: "Dependency" });
        to.node.connections.push({ id: from.node.id, direction: "Inbound", kind: "Dependency" });
      }
    }
  }
  const result = [...ends.values()].map(({ node }) => node);
  if (edges.size > 0) {
    for (const node of result) {
      node.connections.sort(byDirectionKindId);
    }
  }
  return result;
}

interface End {
  readonly node: GraphNode;
  /** Ids of the nodes at the other ends of outbound edges. */
  readonly leadsTo: Set<string>;
}

function toEnd(node: GraphNode): End {
  const kind: EdgeKind = "Connection";
  const outbound = node.connections.filter(({ direction }) => direction === "Outbound");
  return {
    node: { ...node, connections: node.connections.map((connection) => ({ ...connection, kind })) },
    leadsTo: new Set(outbound.map(({ id }) => id)),
  };
}

function endOf(id: string, ends: ReadonlyMap<string, End>): End | undefined {
  const key = ResourceId.tryParse(id)?.key;
  const end = key === undefined ? undefined : ends.get(key);
  return end === undefined || isScopeType(end.node.type) ? undefined : end;
}

/** Everything depends on its application and its environment, which would say nothing. */
export function isScopeType(type: string): boolean {
  return scopeTypes.has(type.toLowerCase());
}

const scopeTypes = new Set(
  families.flatMap(({ namespace }) =>
    ["applications", "environments", "recipePacks"].map((name) => `${namespace}/${name}`.toLowerCase()),
  ),
);

function byDirectionKindId(a: GraphConnection, b: GraphConnection): number {
  return byText(a.direction, b.direction) || byText(a.kind ?? "", b.kind ?? "") || byText(a.id, b.id);
}
