import type { SchemaNode, Shape } from "./schema-node.ts";

/** Which walks over a value can change anything: most schemas have few kinds of marks, and most values are walked often. */
export interface Marks {
  /** Read-only members inside of properties; those of the properties themselves always count. */
  readonly hasNestedReadOnly: boolean;
  readonly hasDefaults: boolean;
  readonly dropsUnknown: boolean;
}

export function marksOf(root: Shape): Marks {
  const all = nodesBelow(root);
  const own = new Set<SchemaNode>(ownNodes(root));
  return {
    hasNestedReadOnly: all.some((node) => node.readOnly && !own.has(node)),
    hasDefaults: all.some((node) => node.defaultValue !== undefined),
    dropsUnknown: root.dropsUnknown || all.some((node) => node.shape.dropsUnknown),
  };
}

export function hasSensitive(root: Shape): boolean {
  return nodesBelow(root).some((node) => node.sensitive);
}

/** Every use of a schema below a shape, once. */
function nodesBelow(root: Shape): SchemaNode[] {
  const seen = new Set<Shape>([root]);
  const nodes: SchemaNode[] = [];
  for (const shape of seen) {
    for (const node of ownNodes(shape)) {
      nodes.push(node);
      seen.add(node.shape);
    }
  }
  return nodes;
}

function ownNodes({ properties, additional, items, variants }: Shape): SchemaNode[] {
  const shapes = variants === undefined ? [] : [...variants.byValue.values(), variants.undecided];
  return [
    ...properties.values(),
    ...(additional === undefined || additional === false ? [] : [additional]),
    ...(items === undefined ? [] : [items]),
    ...shapes.flatMap(ownNodes),
  ];
}
