import {
  boolLiteral,
  boolType,
  boundsOf,
  collapsedUnionOf,
  intOf,
  intType,
  isAssignable,
  maxInt,
  membersOf,
  minInt,
  nullType,
  stringType,
  typeOfValue,
  unionOf,
  valuesOfLiterals,
  withoutNull,
} from "../types/index.ts";
import type { FoldHost, Range, Type } from "../types/index.ts";

export type UnaryOperator = "!" | "-";
export type BinaryOperator =
  | "||"
  | "&&"
  | "=="
  | "!="
  | "=~"
  | "!~"
  | "<"
  | "<="
  | ">"
  | ">="
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "??";

/** The type of an operation, or that the operator does not take such operands. */
export type OperatorResult =
  | { readonly fits: true; readonly type: Type; readonly problems: readonly OperatorProblem[] }
  | { readonly fits: false; readonly code: "BCP044" | "BCP045" };

/** Something to report on the whole operation although it has a type. */
export interface OperatorProblem {
  readonly code: "BCP234" | "BCP410";
  readonly level: "error" | "warning";
  readonly message: string;
}

export function typeOfUnary(operator: UnaryOperator, operand: Type): OperatorResult {
  if (operator === "!") {
    if (!isAssignable(operand, boolType)) {
      return { fits: false, code: "BCP044" };
    }
    return fits(operand.kind === "boolLiteral" ? boolLiteral(!operand.value) : boolType);
  }
  if (!isAssignable(operand, intType)) {
    return { fits: false, code: "BCP044" };
  }
  return fits(overMembers(operand, (range) => ({ min: negated(range.max), max: negated(range.min) })));
}

/** Operands that are errors never come here: they silence the operator. */
export function typeOfBinary(operator: BinaryOperator, left: Type, right: Type, fold: FoldHost): OperatorResult {
  switch (operator) {
    case "||":
    case "&&":
      return both(left, right, boolType) ? fits(logical(operator === "||", left, right)) : mismatch;
    case "==":
      return fits(equality(left, right, fold) ?? boolType);
    case "!=":
      return fits(opposite(equality(left, right, fold)) ?? boolType);
    case "=~":
    case "!~":
      return both(left, right, stringType) ? fits(insensitiveEquality(operator, left, right, fold)) : mismatch;
    case "<":
    case "<=":
    case ">":
    case ">=":
      return both(left, right, intType) || both(left, right, stringType)
        ? fits(comparison(operator, left, right, fold))
        : mismatch;
    case "??":
      return fits(coalesced(left, right));
    default:
      return both(left, right, intType) ? arithmetic(operator, left, right, fold) : mismatch;
  }
}

/** A condition that is known picks its branch. The condition has been found to be a bool. */
export function typeOfTernary(condition: Type, whenTrue: Type, whenFalse: Type): Type {
  if (condition.kind === "boolLiteral") {
    return condition.value ? whenTrue : whenFalse;
  }
  return collapsedUnionOf([whenTrue, whenFalse]);
}

const mismatch: OperatorResult = { fits: false, code: "BCP045" };

function fits(type: Type, problems: readonly OperatorProblem[] = []): OperatorResult {
  return { fits: true, type, problems };
}

function both(left: Type, right: Type, target: Type): boolean {
  return isAssignable(left, target) && isAssignable(right, target);
}

/** One side can decide: `true || x` is true whatever x is. */
function logical(decisive: boolean, left: Type, right: Type): Type {
  for (const side of [left, right]) {
    if (side.kind === "boolLiteral" && side.value === decisive) {
      return boolLiteral(decisive);
    }
  }
  return left.kind === "boolLiteral" && right.kind === "boolLiteral" ? boolLiteral(!decisive) : boolType;
}

function equality(left: Type, right: Type, fold: FoldHost): Type | undefined {
  return foldedType("equals", [left, right], fold);
}

function insensitiveEquality(operator: "=~" | "!~", left: Type, right: Type, fold: FoldHost): Type {
  const lowerLeft = foldedType("toLower", [left], fold);
  const lowerRight = foldedType("toLower", [right], fold);
  const equal = lowerLeft === undefined || lowerRight === undefined ? undefined : equality(lowerLeft, lowerRight, fold);
  return (operator === "=~" ? equal : opposite(equal)) ?? boolType;
}

const comparisonFunctions = { "<": "less", "<=": "lessOrEquals", ">": "greater", ">=": "greaterOrEquals" } as const;

function comparison(operator: "<" | "<=" | ">" | ">=", left: Type, right: Type, fold: FoldHost): Type {
  const leftRange = boundsOf(left);
  const rightRange = boundsOf(right);
  if (leftRange === undefined || rightRange === undefined) {
    return foldedType(comparisonFunctions[operator], [left, right], fold) ?? boolType;
  }
  const swapped = operator === ">" || operator === ">=";
  const [low, high] = swapped ? [rightRange, leftRange] : [leftRange, rightRange];
  const orEqual = operator === "<=" || operator === ">=";
  if (low.max !== undefined && high.min !== undefined && (orEqual ? low.max <= high.min : low.max < high.min)) {
    return boolLiteral(true);
  }
  if (low.min !== undefined && high.max !== undefined && (orEqual ? low.min > high.max : low.min >= high.max)) {
    return boolLiteral(false);
  }
  return boolType;
}

function coalesced(left: Type, right: Type): Type {
  if (left === nullType) {
    return right;
  }
  const nonNull = withoutNull(left);
  return nonNull === undefined ? left : unionOf([nonNull, right]);
}

const arithmeticFunctions = { "+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod" } as const;

function arithmetic(operator: "+" | "-" | "*" | "/" | "%", left: Type, right: Type, fold: FoldHost): OperatorResult {
  const problems: OperatorProblem[] = [];
  if (operator === "%" && right.kind === "intLiteral" && right.value === 0n) {
    problems.push({ code: "BCP410", level: "error", message: "The remainder of a division by 0 does not exist." });
  }
  const values = valuesOfLiterals([left, right]);
  if (values !== undefined) {
    const name = arithmeticFunctions[operator];
    const result = fold.call(name, values);
    if ("value" in result) {
      return fits(typeOfValue(result.value), problems);
    }
    const message = `The operator "${operator}" will fail with these operands: ${result.error}`;
    return fits(intType, [...problems, { code: "BCP234", level: "warning", message }]);
  }
  switch (operator) {
    case "+":
      return fits(acrossMembers(left, right, (a, b) => ({ min: sum(a.min, b.min), max: sum(a.max, b.max) })));
    case "-":
      return fits(
        acrossMembers(left, right, (a, b) => ({ min: sum(a.min, negated(b.max)), max: sum(a.max, negated(b.min)) })),
      );
    case "%":
      return fits(remainder(left, right), problems);
    default:
      return fits(intType);
  }
}

/** A remainder is smaller than the divisor and has the sign of what is divided. */
function remainder(dividend: Type, divisor: Type): Type {
  const by = boundsOf(divisor);
  if (by?.min === undefined || by.max === undefined) {
    return intType;
  }
  const size = magnitude(by.min) > magnitude(by.max) ? magnitude(by.min) : magnitude(by.max);
  if (size === 0n) {
    return intType;
  }
  const from = boundsOf(dividend);
  const neverNegative = from?.min !== undefined && from.min >= 0n;
  const neverPositive = from?.max !== undefined && from.max <= 0n;
  return intOf(neverNegative ? 0n : 1n - size, neverPositive ? 0n : size - 1n);
}

// Beyond this many pairs of members the plain type says enough.
const maxPairs = 256;

function acrossMembers(
  left: Type,
  right: Type,
  combine: (left: Range<bigint>, right: Range<bigint>) => Range<bigint>,
): Type {
  const lefts = membersOf(left);
  const rights = membersOf(right);
  if (lefts.length * rights.length > maxPairs) {
    return intType;
  }
  const results: Type[] = [];
  for (const one of lefts) {
    for (const other of rights) {
      const [a, b] = [boundsOf(one), boundsOf(other)];
      if (a === undefined || b === undefined) {
        return intType;
      }
      const { min, max } = combine(a, b);
      results.push(intOf(min, max));
    }
  }
  return results.length === 0 ? intType : collapsedUnionOf(results);
}

function overMembers(type: Type, change: (range: Range<bigint>) => Range<bigint>): Type {
  return acrossMembers(type, zero, change);
}

const zero = intOf(0n, 0n);

/** Nothing when an end is missing or the sum leaves the 64 bits. */
function sum(left: bigint | undefined, right: bigint | undefined): bigint | undefined {
  return left === undefined || right === undefined ? undefined : within(left + right);
}

function negated(value: bigint | undefined): bigint | undefined {
  return value === undefined ? undefined : within(-value);
}

function within(value: bigint): bigint | undefined {
  return value < minInt || value > maxInt ? undefined : value;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function opposite(type: Type | undefined): Type | undefined {
  return type?.kind === "boolLiteral" ? boolLiteral(!type.value) : undefined;
}

/** The type of the result of a call with known values; nothing when one is not known or the call fails. */
function foldedType(name: string, types: readonly Type[], fold: FoldHost): Type | undefined {
  const values = valuesOfLiterals(types);
  const result = values === undefined ? undefined : fold.call(name, values);
  return result !== undefined && "value" in result ? typeOfValue(result.value) : undefined;
}
