import type { Node, UnionType, UnionTypeMember } from "../syntax/index.ts";
import {
  defer,
  discriminatedOf,
  isLiteral,
  membersOf,
  nullType,
  objectOf,
  PropertyFlags,
  quote,
  silentError,
  unionOf,
} from "../types/index.ts";
import type { ObjectType, Type, TypeSource } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { discriminatorOf } from "./decorated-types.ts";
import { isDeferred } from "./deferred.ts";
import { checks } from "./diagnostics.ts";
import { leadsBack } from "./type-cycles.ts";

interface Member {
  readonly node: UnionTypeMember;
  readonly type: Type;
}

/** `'a' | 'b'`, or objects that a decorator tells apart. */
export function sourceOfUnion(checker: Checker, node: UnionType): TypeSource {
  const discriminator = discriminatorOf(checker, node);
  const sources = node.members.map((member) => checker.sourceOfTypeExpression(member.type));
  const build = (): Type => {
    const members = node.members.map((member, index) => ({ node: member, type: memberType(sources[index]) }));
    const isUnknown = (member: Member): boolean => member.type.kind === "error" && !leadsBack(checker, member.node);
    if (members.some(isUnknown) || node.items.some(isSkippedPart)) {
      return silentError;
    }
    if (discriminator === undefined) {
      return literalUnion(checker, node, members);
    }
    const { property } = discriminator;
    return property === undefined ? silentError : taggedUnion(checker, members, property);
  };
  return sources.some(isDeferred) ? defer(build) : build();
}

/** The type of a member; of a refused union that it names, what that would have been. */
function memberType(source: TypeSource | undefined): Type {
  const type = resolve(source);
  return type.kind === "error" ? (type.refused ?? type) : type;
}

function isSkippedPart(part: UnionType["items"][number]): boolean {
  return part.kind === "Skipped";
}

function resolve(source: TypeSource | undefined): Type {
  if (source === undefined) {
    return silentError;
  }
  return isDeferred(source) ? source.type : source;
}

// ---------------------------------------------------------------------------------------------------- literals

function literalUnion(checker: Checker, node: UnionType, members: readonly Member[]): Type {
  const all = members.flatMap((member) => membersOf(member.type));
  const kinds = new Set(all.filter((type) => type !== nullType && type.kind !== "error").map(kindOf));
  const isOnlyNull = all.every((type) => type === nullType);
  if (isOnlyNull || (kinds.size > 1 && !isArrayItem(checker, node))) {
    return { ...checker.fail(checks.unionMixed(node)), refused: unionOf(all) };
  }
  let isValid = true;
  for (const member of members) {
    if (!membersOf(member.type).every(isLiteralType)) {
      checker.report(checks.unionMember(member.node));
      isValid = false;
    }
  }
  return isValid ? unionOf(all) : { ...silentError, refused: unionOf(all) };
}

/** What a literal is a literal of. */
function kindOf(type: Type): string {
  switch (type.kind) {
    case "stringLiteral":
      return "string";
    case "intLiteral":
      return "int";
    case "boolLiteral":
      return "bool";
    case "tuple":
      return "array";
    case "discriminated":
      return "object";
    default:
      return type.kind;
  }
}

/** Objects written as types are open, which does not keep them from being literals here. */
function isLiteralType(type: Type): boolean {
  if (type.kind === "object" && type.additional !== undefined) {
    const isOnlyFallback = (type.additional.flags & PropertyFlags.Fallback) !== 0;
    return isOnlyFallback && isLiteralType(objectOf(type.properties.values()));
  }
  if (type.kind === "object") {
    return Array.from(type.properties.values()).every(
      (property) => (property.flags & PropertyFlags.Required) !== 0 && isLiteralType(property.type),
    );
  }
  return type.kind === "tuple" ? type.items.every(isLiteralType) : isLiteral(type);
}

function isArrayItem(checker: Checker, node: Node): boolean {
  let parent = checker.parentOf(node);
  while (parent?.kind === "ParenthesizedType") {
    parent = checker.parentOf(parent);
  }
  return parent?.kind === "ArrayType";
}

// ---------------------------------------------------------------------------------------------------- tagged unions

function taggedUnion(checker: Checker, members: readonly Member[], discriminator: string): Type {
  const objects = new Map<string, ObjectType>();
  let isNullable = false;
  let isValid = true;
  for (const { node, type } of members) {
    if (type === nullType) {
      checker.report(checks.unionKind(node, type, "objects"));
      isValid = false;
      continue;
    }
    for (const object of objectsOf(type)) {
      if (object === nullType) {
        isNullable = true;
        continue;
      }
      if (object.kind !== "object") {
        checker.report(
          object.kind === "error" ? checks.unionOfItself(node) : checks.unionKind(node, object, "objects"),
        );
        isValid = false;
        continue;
      }
      isValid = addMember(checker, node, object, discriminator, objects) && isValid;
    }
  }
  if (!isValid) {
    return silentError;
  }
  const tagged = discriminatedOf(discriminator, Array.from(objects.values()));
  return isNullable ? unionOf([tagged, nullType]) : tagged;
}

function* objectsOf(type: Type): Iterable<Type> {
  for (const member of membersOf(type)) {
    if (member.kind === "discriminated") {
      yield* member.members.values();
    } else {
      yield member;
    }
  }
}

function addMember(
  checker: Checker,
  node: UnionTypeMember,
  object: ObjectType,
  discriminator: string,
  objects: Map<string, ObjectType>,
): boolean {
  const tag = object.properties.get(discriminator);
  if (tag === undefined || tag.type.kind !== "stringLiteral" || (tag.flags & PropertyFlags.Required) === 0) {
    checker.report(checks.discriminatorProperty(node, discriminator));
    return false;
  }
  const value = tag.type.value.toLowerCase();
  const known = objects.get(value);
  if (known !== undefined && known.key !== object.key) {
    checker.report(checks.discriminatorValue(node, discriminator, quote(tag.type.value)));
    return false;
  }
  objects.set(value, object);
  return true;
}
