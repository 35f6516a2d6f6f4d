import { type JsonObject, Pace, ResourceId, type Sliced } from "@rad/core";
import { byText } from "./by-text.ts";
import { connectionSources, hostIn } from "./connection-sources.ts";
import type { Direction, GraphConnection, GraphNode, KnownResource } from "./graph-shape.ts";
import { outputResources } from "./output-resources.ts";

/** What one resource costs; see `Pace`. */
const stepsOfEach = 20;

interface Node {
  readonly id: ResourceId;
  readonly properties: JsonObject;
  /** Other ends by their keys. */
  readonly outbound: Set<string>;
  readonly inbound: Set<string>;
}

/**
 * The resources of an application and everything that they lead to, with all edges at both ends, sorted by type, name and
 * id. An id that nobody knows becomes a node without properties. Whatever cannot be read is left out.
 */
export function* applicationGraph(resources: readonly KnownResource[]): Sliced<GraphNode[]> {
  const pace = new Pace();
  const known = new Map<string, Node>();
  const named = new Map<string, string[]>();
  const queue: string[] = [];
  for (const { id: text, properties, isMember } of [...resources].sort(membersFirst)) {
    yield* pausing(pace);
    const id = ResourceId.tryParse(text);
    if (id === undefined || known.has(id.key)) {
      continue;
    }
    known.set(id.key, { id, properties, outbound: new Set(), inbound: new Set() });
    const name = id.name.toLowerCase();
    const sameName = named.get(name) ?? [];
    sameName.push(id.key);
    named.set(name, sameName);
    if (isMember) {
      queue.push(id.key);
    }
  }

  const shown = new Map<string, Node>();
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    yield* pausing(pace);
    const node = known.get(key);
    if (node === undefined || shown.has(key)) {
      continue;
    }
    shown.set(key, node);
    for (const source of connectionSources(node.properties)) {
      const target = targetOf(source, key, known, named);
      if (target !== undefined) {
        node.outbound.add(target.id.key);
        target.inbound.add(key);
        queue.push(target.id.key);
      }
    }
  }

  const nodes: GraphNode[] = [];
  for (const node of shown.values()) {
    yield* pausing(pace);
    nodes.push(toGraphNode(node, shown));
  }
  return nodes.sort((a, b) => byText(a.type, b.type) || byText(a.name, b.name) || byText(a.id, b.id));
}

function* pausing(pace: Pace): Sliced<void> {
  const pause = pace.spend(stepsOfEach);
  if (pause !== undefined) {
    yield pause;
  }
}

/** A host name belongs to the first resource that has it, so the order must not depend on how resources were listed. */
function membersFirst(a: KnownResource, b: KnownResource): number {
  return Number(b.isMember) - Number(a.isMember) || byText(a.id.toLowerCase(), b.id.toLowerCase());
}

/** @param from the node that names it: nobody means themselves by a host name */
function targetOf(
  source: string,
  from: string,
  known: Map<string, Node>,
  named: ReadonlyMap<string, readonly string[]>,
): Node | undefined {
  const id = ResourceId.tryParse(source);
  if (id === undefined || !isResource(id)) {
    const key = named.get(hostIn(source) ?? "")?.find((candidate) => candidate !== from);
    return key === undefined ? undefined : known.get(key);
  }
  const node = known.get(id.key) ?? { id, properties: {}, outbound: new Set(), inbound: new Set() };
  known.set(id.key, node);
  return node;
}

function isResource({ kind }: ResourceId): boolean {
  return kind === "resource" || kind === "extensionResource";
}

function toGraphNode({ id, properties, outbound, inbound }: Node, shown: ReadonlyMap<string, Node>): GraphNode {
  const { provisioningState, connections: _connections, status: _status, ...rest } = properties;
  const ends = (keys: ReadonlySet<string>, direction: Direction): GraphConnection[] =>
    [...keys].flatMap((key) => {
      const end = shown.get(key);
      return end === undefined ? [] : [{ id: end.id.toString(), direction }];
    });
  return {
    id: id.toString(),
    name: id.name,
    type: id.type,
    provisioningState: typeof provisioningState === "string" ? provisioningState : "Succeeded",
    connections: [...ends(outbound, "Outbound"), ...ends(inbound, "Inbound")].sort(
      (a, b) => byText(a.id, b.id) || byText(b.direction, a.direction),
    ),
    outputResources: outputResources(properties),
    ...(Object.keys(rest).length === 0 ? {} : { properties: rest }),
  };
}
