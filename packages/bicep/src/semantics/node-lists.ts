import type { Node, NodeKind, NodeOf } from "../syntax/index.ts";

/** The kinds of nodes that rules look for wherever they stand. Most nodes are of other kinds. */
const listedKinds = [
  "ArrayAccess",
  "ForExpression",
  "FunctionCall",
  "FunctionDeclaration",
  "InstanceFunctionCall",
  "IntegerLiteral",
  "IntegerTypeLiteral",
  "Lambda",
  "MetadataDeclaration",
  "ModuleDeclaration",
  "ObjectProperty",
  "ObjectTypeAdditionalProperties",
  "ObjectTypeProperty",
  "OutputDeclaration",
  "ParameterDeclaration",
  "PropertyAccess",
  "ResourceDeclaration",
  "StringExpression",
  "TernaryOperation",
  "TupleTypeItem",
  "TypeDeclaration",
  "TypeReference",
  "VariableDeclaration",
] as const satisfies readonly NodeKind[];

export type ListedKind = (typeof listedKinds)[number];

/** The nodes of one tree by kind, so that who looks for some need not walk past all the others. */
export class NodeLists {
  readonly #lists = new Map<NodeKind, Node[]>(listedKinds.map((kind) => [kind, []]));

  add(node: Node): void {
    this.#lists.get(node.kind)?.push(node);
  }

  /** In the order in which they were added. */
  of<K extends ListedKind>(kind: K): readonly NodeOf<K>[] {
    return (this.#lists.get(kind) ?? []) as readonly Node[] as readonly NodeOf<K>[];
  }
}
