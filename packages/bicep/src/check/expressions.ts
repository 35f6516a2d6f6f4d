import { templateFold, typeOfBinary, typeOfInterpolation, typeOfTernary, typeOfUnary } from "../functions/index.ts";
import type {
  BinaryOperation,
  Expression,
  ForExpression,
  IfCondition,
  IntegerLiteral,
  Lambda,
  Node,
  StringExpression,
  TernaryOperation,
  UnaryOperation,
} from "../syntax/index.ts";
import {
  arrayOf,
  anyArray,
  boolLiteral,
  boolType,
  intLiteral,
  intType,
  isAssignable,
  lambdaOf,
  maxInt,
  minInt,
  nullType,
  silentError,
  stringLiteral,
  withoutNull,
} from "../types/index.ts";
import type { Type } from "../types/index.ts";
import { typeOfAccess, typeOfResourceAccess } from "./access.ts";
import { typeOfCall } from "./calls.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";
import { typeOfArray, typeOfObject } from "./literals.ts";
import { typeOfName } from "./names.ts";

/** Works out the type of an expression and reports what is wrong with it. */
export function typeOfExpression(checker: Checker, node: Expression | IfCondition): Type {
  switch (node.kind) {
    case "BooleanLiteral":
      return boolLiteral(node.value);
    case "NullLiteral":
      return nullType;
    case "IntegerLiteral":
      return typeOfInteger(node);
    case "StringExpression":
      return typeOfString(checker, node);
    case "ObjectExpression":
      return typeOfObject(checker, node);
    case "ArrayExpression":
      return typeOfArray(checker, node);
    case "ForExpression":
      return typeOfLoop(checker, node);
    case "IfCondition":
      checkCondition(checker, node);
      return checker.typeOf(node.body);
    case "VariableAccess":
      return typeOfName(checker, node);
    case "PropertyAccess":
    case "ArrayAccess":
      return typeOfAccess(checker, node);
    case "ResourceAccess":
      return typeOfResourceAccess(checker, node);
    case "FunctionCall":
    case "InstanceFunctionCall":
      return typeOfCall(checker, node);
    case "NonNullAssertion": {
      const type = checker.typeOf(node.target);
      return withoutNull(type) ?? type;
    }
    case "UnaryOperation":
      return typeOfUnaryOperation(checker, node);
    case "BinaryOperation":
      return typeOfBinaryOperation(checker, node);
    case "TernaryOperation":
      return typeOfTernaryOperation(checker, node);
    case "ParenthesizedExpression":
      return checker.typeOf(node.expression);
    case "Lambda":
      return typeOfLambda(checker, node);
    case "Skipped":
      return silentError;
    default:
      return node satisfies never;
  }
}

function typeOfInteger(node: IntegerLiteral): Type {
  return node.value > maxInt ? intType : intLiteral(node.value);
}

function typeOfString(checker: Checker, node: StringExpression): Type {
  if (node.expressions.length === 0) {
    return stringLiteral(node.segments[0] ?? "");
  }
  const holes = node.expressions.map((expression) => checker.typeOf(expression));
  if (holes.some(isError)) {
    return silentError;
  }
  return typeOfInterpolation(node.segments, holes, templateFold);
}

function typeOfLoop(checker: Checker, node: ForExpression): Type {
  const source = checker.typeOf(node.source);
  const body = checker.typeOf(node.body);
  if (isError(source) || isError(body)) {
    return silentError;
  }
  if (!isAssignable(source, anyArray)) {
    const nonNull = withoutNull(source);
    if (nonNull === undefined || !isAssignable(nonNull, anyArray)) {
      return checker.fail(checks.notArray(node.source, source));
    }
    checker.report(checks.nullableValue(node.source, anyArray, source));
  }
  return arrayOf(body);
}

function checkCondition(checker: Checker, node: IfCondition): void {
  const { condition } = node;
  const type = checker.typeOf(condition);
  if (!isError(type)) {
    requireBool(checker, condition, type);
  }
}

/** Reports a condition that is no bool; one that is only possibly null passes with a warning. */
function requireBool(checker: Checker, node: Node, type: Type): boolean {
  if (isAssignable(type, boolType)) {
    return true;
  }
  const nonNull = withoutNull(type);
  if (nonNull !== undefined && isAssignable(nonNull, boolType)) {
    checker.report(checks.nullableValue(node, boolType, type));
    return true;
  }
  checker.report(checks.notBool(node, type));
  return false;
}

function typeOfUnaryOperation(checker: Checker, node: UnaryOperation): Type {
  const { operand, operator } = node;
  if (operator === "-" && operand.kind === "IntegerLiteral" && -operand.value >= minInt) {
    return intLiteral(-operand.value);
  }
  const type = checker.typeOf(operand);
  if (isError(type)) {
    return silentError;
  }
  const result = typeOfUnary(operator, type);
  if (result.fits) {
    return result.type;
  }
  const nonNull = withoutNull(type);
  if (nonNull !== undefined && isInTernaryBranch(checker, node)) {
    const retried = typeOfUnary(operator, nonNull);
    if (retried.fits) {
      checker.report(checks.nullableValue(node, nonNull, type));
      return retried.type;
    }
  }
  return checker.fail(checks.unaryOperator(node, operator, type));
}

function typeOfBinaryOperation(checker: Checker, node: BinaryOperation): Type {
  const { operator } = node;
  const left = checker.typeOf(node.left);
  const right = checker.typeOf(node.right);
  if (isError(left) || isError(right)) {
    return silentError;
  }
  let result = typeOfBinary(operator, left, right, templateFold);
  if (!result.fits) {
    result = withoutNullOperands(checker, node, left, right) ?? result;
  }
  if (!result.fits) {
    const areTexts = operator === "+" && isText(left) && isText(right);
    const hint = areTexts ? " Use string interpolation instead." : "";
    return checker.fail(checks.binaryOperator(node, operator, left, right, hint));
  }
  for (const problem of result.problems) {
    checker.report(checks.placed(node, problem));
  }
  return result.problems.some((problem) => problem.level === "error") ? silentError : result.type;
}

/**
 * In the branch of a condition the author may know better: there a possible null is a warning. Anywhere else the
 * operator just does not apply.
 */
function withoutNullOperands(
  checker: Checker,
  node: BinaryOperation,
  left: Type,
  right: Type,
): ReturnType<typeof typeOfBinary> | undefined {
  const nonNullLeft = withoutNull(left);
  const nonNullRight = withoutNull(right);
  if ((nonNullLeft === undefined && nonNullRight === undefined) || !isInTernaryBranch(checker, node)) {
    return undefined;
  }
  const result = typeOfBinary(node.operator, nonNullLeft ?? left, nonNullRight ?? right, templateFold);
  if (!result.fits) {
    return undefined;
  }
  if (nonNullLeft !== undefined) {
    checker.report(checks.nullableValue(node, nonNullLeft, left));
  }
  if (nonNullRight !== undefined) {
    checker.report(checks.nullableValue(node, nonNullRight, right));
  }
  return result;
}

function isInTernaryBranch(checker: Checker, node: Node): boolean {
  let child: Node = node;
  for (let at = checker.parentOf(node); at !== undefined; at = checker.parentOf(at)) {
    if (at.kind === "TernaryOperation" && at.condition !== child) {
      return true;
    }
    child = at;
  }
  return false;
}

function typeOfTernaryOperation(checker: Checker, node: TernaryOperation): Type {
  const condition = checker.typeOf(node.condition);
  const whenTrue = checker.typeOf(node.whenTrue);
  const whenFalse = checker.typeOf(node.whenFalse);
  if (isError(condition) || isError(whenTrue) || isError(whenFalse)) {
    return silentError;
  }
  if (!requireBool(checker, node.condition, condition)) {
    return silentError;
  }
  return typeOfTernary(withoutNull(condition) ?? condition, whenTrue, whenFalse);
}

function typeOfLambda(checker: Checker, node: Lambda): Type {
  const variables = node.parameters.kind === "LocalVariable" ? [node.parameters] : node.parameters.variables;
  const parameters = variables.map((variable) => {
    const symbol = checker.symbolOf(variable);
    return symbol === undefined ? silentError : checker.typeOfSymbol(symbol);
  });
  // Parameters files only hear that the lambda does not fit, not why.
  const isQuiet = checker.file.syntax.kind === "params";
  return lambdaOf(parameters, isQuiet ? checker.quietly(() => checker.typeOf(node.body)) : checker.typeOf(node.body));
}

function isText(type: Type): boolean {
  return type.kind === "string" || type.kind === "stringLiteral";
}

function isError(type: Type): boolean {
  return type.kind === "error";
}
