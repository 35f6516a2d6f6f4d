import { arrayOf } from "./collections.ts";
import { collapseObjects } from "./collapse-objects.ts";
import type {
  ArrayType,
  BoolLiteralType,
  BoolType,
  DiscriminatedType,
  IntLiteralType,
  IntType,
  ObjectType,
  StringLiteralType,
  StringType,
  TupleType,
  Type,
} from "./model.ts";
import { covers, lengthsOf, mergeRanges } from "./ranges.ts";
import type { Range } from "./ranges.ts";
import { boolOf, intOf, nullType, stringOf } from "./scalars.ts";
import { membersOf, unionOf } from "./union.ts";

/**
 * A simpler type with the same values, when all members of a union are of one kind (null aside): ranges merge, literals
 * that a range covers vanish, objects become one object or a tagged union. Nothing when the kinds are mixed.
 */
export function collapse(type: Type): Type | undefined {
  if (type.kind !== "union") {
    return type;
  }
  const members = membersOf(type).filter((member) => member !== nullType);
  const collapsed = collapseMembers(members);
  if (collapsed === undefined) {
    return undefined;
  }
  return members.length === type.members.length ? collapsed : unionOf([collapsed, nullType]);
}

/** The collapsed union of several types; the union as it is when it does not collapse. */
export function collapsedUnionOf(types: readonly Type[]): Type {
  const union = unionOf(types);
  return collapse(union) ?? union;
}

function collapseMembers(members: readonly Type[]): Type | undefined {
  if (members.length === 1) {
    return members[0];
  }
  if (members.every(isText)) {
    return collapseStrings(members);
  }
  if (members.every(isInteger)) {
    return collapseInts(members);
  }
  if (members.every(isBoolean)) {
    return collapseBools(members);
  }
  if (members.every(isList)) {
    return collapseArrays(members);
  }
  if (members.every(isObject)) {
    // What a scope function returned would be no scope any more.
    return members.some(isScope) ? undefined : collapseObjects(members);
  }
  return undefined;
}

function collapseStrings(members: readonly (StringType | StringLiteralType)[]): Type {
  const ranges: Type[] = [];
  for (const [first, group] of groupBy(
    members.filter((member) => member.kind === "string"),
    (member) => `${member.flags} ${member.pattern ?? ""} ${member.pattern === undefined}`,
  )) {
    for (const { min, max } of mergeRanges(group.map(lengthRange), (length) => length + 1)) {
      ranges.push(stringOf({ minLength: min, maxLength: max, pattern: first.pattern }, first.flags));
    }
  }
  const literals = members.filter(
    (member) => member.kind === "stringLiteral" && !ranges.some((range) => hasLength(range, member)),
  );
  return unionOf([...ranges, ...literals]);
}

function collapseInts(members: readonly (IntType | IntLiteralType)[]): Type {
  const spans: Type[] = [];
  for (const [first, group] of groupBy(members, (member) => String(member.flags))) {
    const ranges = group.map((member) =>
      member.kind === "int" ? { min: member.min, max: member.max } : { min: member.value, max: member.value },
    );
    for (const { min, max } of mergeRanges<bigint>(ranges, (value) => value + 1n)) {
      spans.push(intOf(min, max, first.flags));
    }
  }
  return unionOf(spans);
}

function collapseBools(members: readonly (BoolType | BoolLiteralType)[]): Type {
  const flags = members.reduce((all, member) => all | member.flags, 0);
  const values = new Set(members.map((member) => (member.kind === "bool" ? undefined : member.value)));
  return values.size > 1 || values.has(undefined) ? boolOf(flags) : unionOf(members);
}

function collapseArrays(members: readonly (ArrayType | TupleType)[]): Type {
  const arrays: ArrayType[] = [];
  for (const [first, group] of groupBy(
    members.filter((member) => member.kind === "array"),
    (member) => `${member.flags} ${member.item.key}`,
  )) {
    for (const { min, max } of mergeRanges(group.map(lengthRange), (length) => length + 1)) {
      arrays.push(arrayOf(first.item, { minLength: min, maxLength: max }, first.flags));
    }
  }
  const tuples = members.filter(
    (member) =>
      member.kind === "tuple" &&
      !arrays.some((array) => array.item.key === member.item.key && covers(lengthRange(array), lengthRange(member))),
  );
  return unionOf([...arrays, ...tuples]);
}

function lengthRange(type: StringType | ArrayType | TupleType): Range<number> {
  return lengthsOf(type) ?? { min: undefined, max: undefined };
}

/** Whether a literal is among the strings of a range. One with a pattern is kept: patterns are only tried on values. */
function hasLength(range: Type, literal: Type): boolean {
  const inner = lengthsOf(literal);
  const outer = lengthsOf(range);
  return (
    inner !== undefined &&
    outer !== undefined &&
    range.kind === "string" &&
    range.pattern === undefined &&
    covers(outer, inner)
  );
}

function isText(type: Type): type is StringType | StringLiteralType {
  return type.kind === "string" || type.kind === "stringLiteral";
}

function isInteger(type: Type): type is IntType | IntLiteralType {
  return type.kind === "int" || type.kind === "intLiteral";
}

function isBoolean(type: Type): type is BoolType | BoolLiteralType {
  return type.kind === "bool" || type.kind === "boolLiteral";
}

function isList(type: Type): type is ArrayType | TupleType {
  return type.kind === "array" || type.kind === "tuple";
}

function isObject(type: Type): type is ObjectType | DiscriminatedType {
  return type.kind === "object" || type.kind === "discriminated";
}

function isScope(type: ObjectType | DiscriminatedType): boolean {
  return type.kind === "object" && type.scope !== undefined;
}

/** Groups in order of first appearance, each with its first member. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Iterable<[T, T[]]> {
  const groups = new Map<string, [T, T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [item, [item]]);
    } else {
      group[1].push(item);
    }
  }
  return groups.values();
}
