import { findCycles, findCyclicGroups } from "../semantics/index.ts";
import type { TypeSymbol } from "../semantics/index.ts";
import { forEachChild, walk } from "../syntax/index.ts";
import type { Node, UnionTypeMember } from "../syntax/index.ts";
import type { Checker } from "./checker.ts";
import { isTransparentType, ownerOfType } from "./decorated-types.ts";

/** Types that contain themselves without a way out: no value of such a type could ever be written down. */
export function findTypeCycles(checker: Checker): ReadonlyMap<TypeSymbol, readonly TypeSymbol[]> {
  const { types } = checker.declarations;
  const edges = new Map<TypeSymbol, Set<TypeSymbol>>();
  for (const symbol of types) {
    const reached = new Set<TypeSymbol>();
    collect(checker, symbol.declaration.value, false, reached);
    edges.set(symbol, reached);
  }
  return findCycles(types, (symbol) => edges.get(symbol) ?? []);
}

/**
 * What a value of the type must contain. A part that may be null, and members of other names (`*:`), are a way out; a
 * `?` around the whole type is none, because the name would still stand for itself.
 */
function collect(checker: Checker, node: Node, isPart: boolean, reached: Set<TypeSymbol>): void {
  switch (node.kind) {
    case "TypeReference": {
      const symbol = checker.symbolOf(node);
      if (symbol?.kind === "type") {
        reached.add(symbol);
      }
      return;
    }
    case "NullableType":
      if (!isPart) {
        collect(checker, node.base, isPart, reached);
      }
      return;
    case "ObjectTypeAdditionalProperties":
    case "Decorator":
      return;
    case "ObjectTypeProperty":
    case "TupleTypeItem":
      collect(checker, node.type, true, reached);
      return;
    case "ArrayType":
      collect(checker, node.item, true, reached);
      return;
    default:
      forEachChild(node, (child) => collect(checker, child, isPart, reached));
  }
}

/**
 * Whether a member of a union is nothing but a name for the type in whose declaration it stands, directly or through
 * other names and unions. A type that merely contains the declared one, in a property say, does not lead back.
 */
export function leadsBack(checker: Checker, member: UnionTypeMember): boolean {
  const owner = ownerOfType(checker, member);
  const declared = owner?.kind === "TypeDeclaration" ? checker.symbolOf(owner) : undefined;
  const group = declared?.kind === "type" ? aliasGroupsOf(checker).get(declared) : undefined;
  return group !== undefined && namesIn(checker, member).some((name) => group.has(name));
}

const aliasGroups = new WeakMap<Checker, ReadonlyMap<TypeSymbol, ReadonlySet<TypeSymbol>>>();

/** Types that are names for each other, or members of each other's unions. */
function aliasGroupsOf(checker: Checker): ReadonlyMap<TypeSymbol, ReadonlySet<TypeSymbol>> {
  let groups = aliasGroups.get(checker);
  if (groups === undefined) {
    const { types } = checker.declarations;
    const names = new Map(types.map((symbol) => [symbol, namesIn(checker, symbol.declaration.value)]));
    groups = findCyclicGroups(types, (symbol) => names.get(symbol) ?? []);
    aliasGroups.set(checker, groups);
  }
  return groups;
}

/** The declared types that a type expression is a name for, or a union of. */
function namesIn(checker: Checker, root: Node): TypeSymbol[] {
  const names: TypeSymbol[] = [];
  walk(root, (node) => {
    const symbol = node.kind === "TypeReference" ? checker.symbolOf(node) : undefined;
    if (symbol?.kind === "type") {
      names.push(symbol);
    }
    return isTransparentType(node);
  });
  return names;
}

/** Whether a node stands in the declaration of one of the types of a cycle. */
export function isInside(checker: Checker, node: Node, cycle: readonly TypeSymbol[]): boolean {
  for (let at: Node | undefined = node; at !== undefined; at = checker.parentOf(at)) {
    if (at.kind === "TypeDeclaration") {
      const symbol = checker.symbolOf(at);
      return symbol?.kind === "type" && (checker.typeCycleOf(symbol) === cycle || cycle.includes(symbol));
    }
  }
  return false;
}

/** All types of the file that a declaration names, in whatever place. */
export function typesMentionedIn(checker: Checker, { declaration }: TypeSymbol): readonly TypeSymbol[] {
  const found = new Set<TypeSymbol>();
  const visit = (node: Node): void => {
    const symbol = node.kind === "TypeReference" ? checker.symbolOf(node) : undefined;
    if (symbol?.kind === "type") {
      found.add(symbol);
    }
    forEachChild(node, visit);
  };
  visit(declaration.value);
  return [...found];
}
