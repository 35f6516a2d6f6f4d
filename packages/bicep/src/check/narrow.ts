import type { Diagnostic } from "../diagnostic.ts";
import type { Expression, IfCondition, Lambda } from "../syntax/index.ts";
import {
  anyType,
  arrayOf,
  collapse,
  isAssignable,
  moduleOf,
  nullable,
  nullType,
  opened,
  resourceOf,
  testOf,
  tupleOf,
  TypeFlags,
  unionOf,
  withoutNull,
} from "../types/index.ts";
import type { ArrayType, LambdaType, TupleType, Type, UnionType } from "../types/index.ts";
import { fitsPlainly, placeOf } from "./assignment.ts";
import type { Assignment, Value } from "./assignment.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";
import { narrowDiscriminated, narrowObject } from "./narrow-object.ts";
import { narrowInt, narrowLength, narrowString } from "./narrow-ranges.ts";

export { plainAssignment, resourceAssignment } from "./assignment.ts";

/**
 * Compares an expression with the type that is expected in its place, part by part, and reports what does not fit.
 * The result is what the place holds then: the expected type, as precise as the value allows.
 */
export function narrow(checker: Checker, node: Expression | IfCondition, target: Type, assignment: Assignment): Type {
  const type = checker.typeOf(node);
  return fitsPlainly(type, target) && !assignment.disallowAny
    ? type
    : narrowValue({ type, node, literal: node }, target, assignment);
}

/** The same for a value of which there may be no expression. */
function narrowValue(value: Value, target: Type, assignment: Assignment): Type {
  const { literal } = value;
  if (value.type.kind === "any" && assignment.disallowAny) {
    assignment.report(checks.noAny(placeOf(value, assignment)));
    return target;
  }
  if (value.type.kind === "error" || target.kind === "error") {
    return target;
  }
  if (target.kind === "resource" || target.kind === "module" || target.kind === "test") {
    return narrowDeployment(value, target, assignment);
  }
  if (literal?.kind === "IfCondition") {
    return narrowValue(partOf(value, literal.body, assignment), target, assignment);
  }
  if (literal?.kind === "ForExpression" && target.kind === "array") {
    return arrayOf(narrowValue(partOf(value, literal.body, assignment), target.item, assignment));
  }
  const expected = target.kind === "union" ? (collapsed(target) ?? target) : target;
  if (!isAssignable(value.type, expected)) {
    return narrowUnassignable(value, expected, assignment);
  }
  if (expected.kind === "any") {
    return assignment.inResource ? opened(value.type) : value.type;
  }
  if (expected === value.type) {
    return value.type;
  }
  if (value.type.kind === "any") {
    return expected;
  }
  return narrowAssignable(lookedThrough(value, assignment), expected, withOrigin(value, assignment));
}

/** A part of a literal, which is a literal itself. */
function partOf(value: Value, part: Expression | IfCondition, assignment: Assignment): Value {
  const node = assignment.origin === undefined ? part : value.node;
  return { type: assignment.checker.typeOf(part), node, literal: part };
}

function narrowDeployment(
  value: Value,
  target: Extract<Type, { kind: "resource" | "module" | "test" }>,
  assignment: Assignment,
): Type {
  const body = narrowValue(value, target.body, assignment);
  if (target.kind === "resource") {
    return resourceOf({ ...target, body });
  }
  if (body.kind !== "object") {
    return target;
  }
  return target.kind === "module" ? moduleOf(body, target.validScopes) : testOf(body);
}

function narrowUnassignable(value: Value, target: Type, assignment: Assignment): Type {
  const place = placeOf(value, assignment);
  const nonNull = withoutNull(value.type);
  if (nonNull !== undefined && isAssignable(nonNull, target)) {
    assignment.report(checks.nullableValue(place, target, value.type));
    return narrowValue({ ...value, type: nonNull, literal: undefined }, target, assignment);
  }
  const warns = assignment.warnOnMismatch || (target.flags & TypeFlags.WarnOnTypeMismatch) !== 0;
  assignment.report(assignment.mismatch(warns ? "warning" : "error", place, target, value));
  return target;
}

/** A bare variable stands for the expression that it was given. */
function lookedThrough(value: Value, assignment: Assignment): Value {
  const { checker } = assignment;
  let { literal } = value;
  while (literal?.kind === "VariableAccess") {
    const symbol = checker.symbolOf(literal);
    if (symbol?.kind !== "variable" || symbol.declaration.type !== undefined) {
      return { ...value, literal: undefined };
    }
    literal = symbol.declaration.value;
  }
  return literal === value.literal ? value : { ...value, literal };
}

function withOrigin(value: Value, assignment: Assignment): Assignment {
  return value.literal?.kind === "VariableAccess" && assignment.origin === undefined
    ? { ...assignment, origin: value.node }
    : assignment;
}

function narrowAssignable(value: Value, target: Type, assignment: Assignment): Type {
  if (target.kind === "union") {
    return narrowToUnion(value, target, assignment);
  }
  if (value.type.kind === "union") {
    const members = value.type.members.map((type) =>
      narrowValue({ ...value, type, literal: undefined }, target, assignment),
    );
    return unionOf(members);
  }
  switch (target.kind) {
    case "int":
    case "intLiteral":
      return narrowInt(value, target, assignment);
    case "string":
    case "stringLiteral":
      return narrowString(value, target, assignment);
    case "array":
    case "tuple":
      return narrowArray(value, target, assignment);
    case "object":
      return narrowObject(value, target, assignment, narrowValue);
    case "discriminated":
      return narrowDiscriminated(value, target, assignment, narrowValue);
    case "lambda":
      return narrowLambda(value, target, assignment);
    default:
      return value.type;
  }
}

// ---------------------------------------------------------------------------------------------------- arrays

function narrowArray(value: Value, target: ArrayType | TupleType, assignment: Assignment): Type {
  const { literal, type } = value;
  if (literal?.kind === "ArrayExpression") {
    return narrowArrayLiteral(value, literal, target, assignment);
  }
  if (literal?.kind === "ForExpression" && target.kind === "array") {
    return arrayOf(narrowValue(partOf(value, literal.body, assignment), target.item, assignment));
  }
  if (type.kind !== "array" && type.kind !== "tuple") {
    return target;
  }
  if (target.kind === "array" && target.item.kind === "any") {
    narrowLength(value, target, assignment);
    return assignment.inResource ? opened(type) : type;
  }
  if (!narrowLength(value, target, assignment)) {
    return target;
  }
  const item = itemAssignment(target, assignment);
  const types = type.kind === "tuple" ? type.items : [type.item];
  const narrowed = types.map((each, index) => {
    const expected = target.kind === "tuple" ? (target.items[index] ?? target.item) : target.item;
    return narrowValue({ type: each, node: value.node, literal: undefined }, expected, item);
  });
  return type.kind === "tuple" ? tupleOf(narrowed) : arrayOf(narrowed[0] ?? anyType, type, type.flags);
}

function narrowArrayLiteral(
  value: Value,
  node: Extract<Expression, { kind: "ArrayExpression" }>,
  target: ArrayType | TupleType,
  assignment: Assignment,
): Type {
  if (assignment.checker.hasParseErrors(node)) {
    return target;
  }
  const hasSpread = node.elements.some((element) => element.kind === "Spread");
  const item = itemAssignment(target, assignment);
  const narrowed: Type[] = [];
  for (const [index, element] of node.elements.entries()) {
    const expected = target.kind === "tuple" ? (target.items[index] ?? anyType) : target.item;
    if (element.kind === "ArrayItem") {
      narrowed.push(narrowValue(partOf(value, element.value, assignment), expected, item));
    } else if (element.kind === "Spread" && target.kind === "array") {
      narrowSpread(value, element.expression, target, assignment);
    }
  }
  if (hasSpread) {
    return value.type;
  }
  return narrowLength(value, target, assignment) ? tupleOf(narrowed) : target;
}

function narrowSpread(value: Value, node: Expression, target: ArrayType, assignment: Assignment): void {
  const level = (target.flags & TypeFlags.WarnOnTypeMismatch) === 0 ? "error" : "warning";
  const spread = partOf(value, node, assignment);
  const items = spread.type.kind === "array" || spread.type.kind === "tuple" ? spread.type.item : anyType;
  narrowValue({ ...spread, type: items, literal: undefined }, target.item, {
    ...assignment,
    mismatch: (_level, span, expected, each) => checks.spreadItemType(level, span, expected, each.type),
  });
}

function itemAssignment(target: Type, assignment: Assignment): Assignment {
  const level = (target.flags & TypeFlags.WarnOnTypeMismatch) === 0 ? "error" : "warning";
  return {
    ...assignment,
    disallowAny: assignment.disallowAny,
    mismatch: (_level, span, expected, item) => checks.itemType(level, span, expected, item.type),
  };
}

// ---------------------------------------------------------------------------------------------------- lambdas

function narrowLambda(value: Value, target: LambdaType, assignment: Assignment): Type {
  const lambda = value.literal?.kind === "Lambda" ? value.literal : undefined;
  if (lambda === undefined) {
    return value.type;
  }
  const minimum = target.parameters.length;
  const maximum = minimum + target.optionalParameters.length;
  const count = parameterCount(lambda);
  if (count < minimum || count > maximum) {
    const expected = minimum === maximum ? `${minimum} parameters` : `${minimum} to ${maximum} parameters`;
    assignment.report(checks.lambdaArity(lambda.parameters, expected, count));
    return target;
  }
  narrowValue(partOf(value, lambda.body, assignment), target.result, {
    ...assignment,
    mismatch: (level, span, expected, body) => checks.type(level, span, expected, body.type),
  });
  return value.type;
}

function parameterCount(lambda: Lambda): number {
  return lambda.parameters.kind === "LocalVariable" ? 1 : lambda.parameters.variables.length;
}

// ---------------------------------------------------------------------------------------------------- unions

const collapsedUnions = new WeakMap<UnionType, { readonly type: Type | undefined }>();

function collapsed(union: UnionType): Type | undefined {
  let known = collapsedUnions.get(union);
  if (known === undefined) {
    known = { type: collapse(union) };
    collapsedUnions.set(union, known);
  }
  return known.type;
}

function narrowToUnion(value: Value, target: UnionType, assignment: Assignment): Type {
  const { type } = value;
  if (type === nullType) {
    return type;
  }
  // Null on either side is no reason to give up on looking at the parts of the rest.
  const nonNullTarget = withoutNull(target);
  if (nonNullTarget !== undefined) {
    const nonNull = withoutNull(type);
    const narrowed = narrowValue({ ...value, type: nonNull ?? type }, nonNullTarget, assignment);
    return nonNull === undefined ? narrowed : nullable(narrowed);
  }
  if (type.kind === "union") {
    return unionOf(
      type.members.map((member) => narrowMember({ ...value, type: member, literal: undefined }, target, assignment)),
    );
  }
  return narrowToMembers(value, target, assignment, (all) => all);
}

/** One of several types that the value may have. */
function narrowMember(value: Value, target: UnionType, assignment: Assignment): Type {
  return narrowToMembers(value, target, assignment, () => [
    checks.argumentType(placeOf(value, assignment), target, value.type),
  ]);
}

/** Tries the value against each member on its own; the ones that it fits without errors decide. */
function narrowToMembers(
  value: Value,
  target: UnionType,
  assignment: Assignment,
  describe: (found: readonly Diagnostic[]) => readonly Diagnostic[],
): Type {
  const attempts: { readonly type: Type; readonly found: readonly Diagnostic[] }[] = [];
  for (const member of target.members) {
    if (!isAssignable(value.type, member)) {
      continue;
    }
    const found: Diagnostic[] = [];
    const type = narrowValue(value, member, { ...assignment, report: (diagnostic) => found.push(diagnostic) });
    if (found.length === 0) {
      return type;
    }
    attempts.push({ type, found });
  }
  const viable = attempts.filter((attempt) => attempt.found.every((diagnostic) => diagnostic.level !== "error"));
  const all = (viable.length > 0 ? viable : attempts).flatMap((attempt) => attempt.found);
  for (const diagnostic of viable.length > 0 ? all : describe(all)) {
    assignment.report(diagnostic);
  }
  return viable.length > 0 ? unionOf(viable.map((attempt) => attempt.type)) : target;
}
