import { TypeFlags } from "./flags.ts";
import type { LambdaType, Type, UnionType } from "./model.ts";
import { isParentTypeOf } from "./resource-reference.ts";

/**
 * Whether a value of one type can stand where the other is expected, judged by kind alone: items, properties, lengths
 * and ranges are compared later, where the expression is at hand and each finding has a place of its own.
 */
export function isAssignable(source: Type, target: Type): boolean {
  if (((source.flags | target.flags) & TypeFlags.PreventAssignment) !== 0) {
    return false;
  }
  if (source === target || source.kind === "any" || target.kind === "any" || source.kind === "never") {
    return true;
  }
  if (source.kind === "union") {
    return target.kind === "union" ? unionFits(source, target) : allFit(source.members, target);
  }
  if (target.kind === "union") {
    return fitsUnion(source, target);
  }
  if (target.kind === "dependency") {
    return isScopeLike(source.kind === "array" || source.kind === "tuple" ? source.item : source);
  }
  if (isScopeLike(source) && isScopeLike(target)) {
    return true;
  }
  if (target.kind === "parent") {
    return source.kind === "resource" && isParentTypeOf(source.reference, target.child);
  }
  if (source.kind === "resource" || source.kind === "module" || source.kind === "test") {
    return isAssignable(source.body, target);
  }
  if (target.kind === "resource" || target.kind === "module" || target.kind === "test") {
    return isAssignable(source, target.body);
  }
  return fitsKind(source, target);
}

// A closure here would cost each call of `isAssignable` an object for what it captures.
function allFit(sources: readonly Type[], target: Type): boolean {
  for (const source of sources) {
    if (!isAssignable(source, target)) {
      return false;
    }
  }
  return true;
}

/** A resource, a module, or what a scope function returned. */
function isScopeLike(type: Type): boolean {
  switch (type.kind) {
    case "resource":
    case "module":
    case "scope":
      return true;
    case "object":
      return type.scope !== undefined;
    default:
      return false;
  }
}

function fitsKind(source: Type, target: Type): boolean {
  switch (target.kind) {
    case "string":
      return source.kind === "string" || source.kind === "stringLiteral";
    case "int":
      return source.kind === "int" || source.kind === "intLiteral";
    case "bool":
      return source.kind === "bool" || source.kind === "boolLiteral";
    case "stringLiteral":
      return source.kind === "stringLiteral" ? source.value === target.value : isLoose(source, "string");
    case "intLiteral":
      return source.kind === "intLiteral" ? source.value === target.value : isLoose(source, "int");
    case "boolLiteral":
      return source.kind === "boolLiteral" ? source.value === target.value : isLoose(source, "bool");
    case "null":
      return source.kind === "null";
    case "array":
    case "tuple":
      return source.kind === "array" || source.kind === "tuple";
    case "object":
    case "discriminated":
      return source.kind === "object" || source.kind === "discriminated";
    case "lambda":
      return source.kind === "lambda" && lambdaFits(source, target);
    default:
      return false;
  }
}

function isLoose(source: Type, kind: "string" | "int" | "bool"): boolean {
  return source.kind === kind && (source.flags & TypeFlags.Loose) !== 0;
}

/** The numbers of arguments they can be called with meet, and what both have in common fits. */
function lambdaFits(source: LambdaType, target: LambdaType): boolean {
  const sourceMax = source.parameters.length + source.optionalParameters.length;
  const targetMax = target.parameters.length + target.optionalParameters.length;
  if (source.parameters.length > targetMax || target.parameters.length > sourceMax) {
    return false;
  }
  if (!isAssignable(source.result, target.result)) {
    return false;
  }
  const sourceParameters = [...source.parameters, ...source.optionalParameters];
  const targetParameters = [...target.parameters, ...target.optionalParameters];
  for (const [index, parameter] of sourceParameters.entries()) {
    const given = targetParameters[index];
    if (given !== undefined && !isAssignable(given, parameter)) {
      return false;
    }
  }
  return true;
}

// Unions of many literals are common (regions, sizes, kinds), so a literal is looked up rather than searched for.
const smallUnion = 8;
const literalsOf = new WeakMap<UnionType, ReadonlySet<string>>();

function fitsUnion(source: Type, target: UnionType): boolean {
  const { members } = target;
  const literal = members.length > smallUnion ? literalKey(source) : undefined;
  if (literal === undefined) {
    return members.some((member) => isAssignable(source, member));
  }
  if (literalSet(target).has(literal)) {
    return true;
  }
  return members.some((member) => literalKey(member) === undefined && isAssignable(source, member));
}

function unionFits(source: UnionType, target: UnionType): boolean {
  return source.members.every((member) => fitsUnion(member, target));
}

function literalSet(union: UnionType): ReadonlySet<string> {
  let set = literalsOf.get(union);
  if (set === undefined) {
    set = new Set(union.members.map(literalKey).filter((key) => key !== undefined));
    literalsOf.set(union, set);
  }
  return set;
}

/** The value with its kind, without flags. */
function literalKey(type: Type): string | undefined {
  switch (type.kind) {
    case "stringLiteral":
      return `'${type.value}`;
    case "intLiteral":
      return `i${type.value}`;
    case "boolLiteral":
      return `b${type.value}`;
    default:
      return undefined;
  }
}
