import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  anyArray,
  anyObject,
  anyType,
  boolType,
  falseType,
  intLiteral,
  intOf,
  intType,
  looseString,
  minInt,
  maxInt,
  nullable,
  nullType,
  printType,
  secureString,
  stringLiteral,
  stringOf,
  stringType,
  trueType,
  tupleOf,
  TypeFlags,
  unionOf,
} from "../types/index.ts";
import type { Type } from "../types/index.ts";
import { templateFold, typeOfBinary, typeOfInterpolation, typeOfTernary, typeOfUnary } from "./index.ts";
import type { BinaryOperator, OperatorResult, UnaryOperator } from "./index.ts";

const text = (value: string): Type => stringLiteral(value);
const int = (value: number): Type => intLiteral(BigInt(value));

test("unary operators negate literals and ranges", () => {
  const cases: [UnaryOperator, Type, string][] = [
    ["!", trueType, "false"],
    ["!", boolType, "bool"],
    ["!", anyType, "bool"],
    ["!", intType, "BCP044"],
    ["!", nullable(boolType), "BCP044"],
    ["-", int(3), "-3"],
    ["-", intOf(1n, 5n), "int -5..-1"],
    ["-", intType, "int"],
    ["-", intLiteral(minInt), "int"],
    ["-", unionOf([int(1), int(9)]), "-1 | -9"],
    ["-", anyType, "int"],
    ["-", text("a"), "BCP044"],
  ];
  for (const [operator, operand, expected] of cases) {
    assert.equal(show(typeOfUnary(operator, operand)), expected, `${operator}${printType(operand)}`);
  }
});

test("binary operators have the type of their result", () => {
  const cases: [Type, BinaryOperator, Type, string][] = [
    [trueType, "||", boolType, "true"],
    [boolType, "||", trueType, "true"],
    [falseType, "||", boolType, "bool"],
    [falseType, "||", falseType, "false"],
    [boolType, "&&", falseType, "false"],
    [trueType, "&&", trueType, "true"],
    [boolType, "&&", anyType, "bool"],
    [boolType, "&&", intType, "BCP045"],
    [text("a"), "==", text("a"), "true"],
    [text("a"), "==", int(1), "false"],
    [tupleOf([int(1)]), "==", tupleOf([int(1)]), "true"],
    [text("a"), "!=", text("b"), "true"],
    [stringType, "==", intType, "bool"],
    [anyObject, "!=", nullType, "bool"],
    [text("A"), "=~", text("a"), "true"],
    [text("A"), "!~", text("a"), "false"],
    [stringType, "=~", text("a"), "bool"],
    [stringType, "=~", int(1), "BCP045"],
    [int(1), "<", int(2), "true"],
    [int(2), "<=", int(2), "true"],
    [int(2), ">", int(2), "false"],
    [int(2), ">=", int(2), "true"],
    [intOf(1n, 3n), "<", intOf(4n, 9n), "true"],
    [intOf(1n, 3n), ">", intOf(4n, 9n), "false"],
    [intOf(1n, 3n), "<", intOf(3n, 9n), "bool"],
    [intOf(1n, 3n), "<=", intOf(3n, 9n), "true"],
    [intType, "<", int(1), "bool"],
    [text("a"), "<", text("b"), "true"],
    [stringType, "<", text("b"), "bool"],
    [int(1), "<", text("b"), "BCP045"],
    [boolType, "<", boolType, "BCP045"],
    [int(1), "+", int(2), "3"],
    [intOf(1n, 3n), "+", int(2), "int 3..5"],
    [intOf(1n, 3n), "-", intOf(0n, 1n), "int 0..3"],
    [intOf(1n, undefined), "-", intOf(0n, 1n), "int 0.."],
    [unionOf([int(1), int(9)]), "+", int(1), "10 | 2"],
    [unionOf([int(1), int(2)]), "+", int(1), "int 2..3"],
    [intOf(maxInt - 1n, maxInt), "+", intOf(1n, 2n), "int 9223372036854775807.."],
    [text("a"), "+", text("b"), "BCP045"],
    [looseString, "-", int(1), "BCP045"],
    [int(6), "*", int(7), "42"],
    [intOf(1n, 2n), "*", int(2), "int"],
    [int(7), "/", int(2), "3"],
    [int(7), "%", int(4), "3"],
    [intType, "%", int(4), "int -3..3"],
    [intOf(0n, undefined), "%", int(4), "int 0..3"],
    [intOf(undefined, 0n), "%", int(-4), "int -3..0"],
    [intType, "%", intType, "int"],
    [anyType, "+", anyType, "int"],
    [nullType, "??", intType, "int"],
    [nullable(stringType), "??", text("a"), "'a' | string"],
    [stringType, "??", intType, "string"],
    [anyType, "??", intType, "any"],
    [anyArray, "+", int(1), "BCP045"],
    [nullable(intType), "+", int(1), "BCP045"],
  ];
  for (const [left, operator, right, expected] of cases) {
    const result = typeOfBinary(operator, left, right, templateFold);
    assert.equal(show(result), expected, `${printType(left)} ${operator} ${printType(right)}`);
  }
});

test("operations that cannot succeed are told and have the general type", () => {
  const codes = (left: Type, operator: BinaryOperator, right: Type): unknown => {
    const result = typeOfBinary(operator, left, right, templateFold);
    return result.fits && [printType(result.type), result.problems.map(({ code, level }) => `${code} ${level}`)];
  };

  assert.deepEqual(codes(int(1), "/", int(0)), ["int", ["BCP234 warning"]]);
  assert.deepEqual(codes(intType, "/", int(0)), ["int", []]);
  assert.deepEqual(codes(int(1), "%", int(0)), ["int", ["BCP410 error", "BCP234 warning"]]);
  assert.deepEqual(codes(intType, "%", int(0)), ["int", ["BCP410 error"]]);
  assert.deepEqual(codes(intLiteral(maxInt), "+", int(1)), ["int", ["BCP234 warning"]]);
});

test("a known condition picks its branch, another gives the collapsed union", () => {
  assert.equal(typeOfTernary(trueType, text("a"), int(1)).key, text("a").key);
  assert.equal(typeOfTernary(falseType, text("a"), int(1)).key, int(1).key);
  assert.equal(printType(typeOfTernary(boolType, text("a"), int(1))), "'a' | 1");
  assert.equal(typeOfTernary(boolType, stringType, text("a")), stringType);
});

test("an interpolated string is known when its holes are, and has a length otherwise", () => {
  const cases: [string[], Type[], string][] = [
    [["a", "b"], [text("-")], "'a-b'"],
    [["", ""], [trueType], "'True'"],
    [["{", "}"], [int(3)], "'{3}'"],
    [["a"], [], "'a'"],
    [["ab", ""], [stringType], "string 2.."],
    [["a", ""], [stringOf({ minLength: 1, maxLength: 3 })], "string 2..4"],
    [["", ""], [boolType], "string 4..5"],
    [["", ""], [intOf(5n, 120n)], "string 1..3"],
    [["", ""], [intOf(-5n, 5n)], "string 1..2"],
    [["", ""], [intType], "string 1..20"],
    [["", ""], [anyArray], "string 2.."],
    [["", ""], [anyType], "string"],
    [["", "", ""], [unionOf([text("a"), text("bcd")]), boolType], "string 5..8"],
  ];
  for (const [texts, holes, expected] of cases) {
    const type = typeOfInterpolation(texts, holes, templateFold);
    const range = type.kind === "string" ? lengths(type.minLength, type.maxLength) : "";
    assert.equal(`${printType(type)}${range}`, expected);
  }
  assert.equal(typeOfInterpolation(["", ""], [secureString], templateFold).flags, TypeFlags.Secure);
  assert.equal(typeOfInterpolation(["", "", ""], [int(1), secureString], templateFold).flags, TypeFlags.Secure);
});

test("a range of sums or differences holds every sum and difference", () => {
  const bounds = fc
    .tuple(fc.integer({ min: -20, max: 20 }), fc.nat(20))
    .map(([min, size]) => [min, min + size] as const);
  fc.assert(
    fc.property(bounds, bounds, fc.constantFrom<"+" | "-" | "%">("+", "-", "%"), (left, right, operator) => {
      const range = ([min, max]: readonly [number, number]): Type => intOf(BigInt(min), BigInt(max));
      const result = typeOfBinary(operator, range(left), range(right), templateFold);
      for (const a of left) {
        for (const b of right) {
          const value = operator === "+" ? a + b : operator === "-" ? a - b : a % b;
          assert.ok(Number.isNaN(value) || (result.fits && holds(result.type, BigInt(value))));
        }
      }
    }),
  );
});

function holds(type: Type, value: bigint): boolean {
  if (type.kind === "intLiteral") {
    return type.value === value;
  }
  return type.kind === "int" && (type.min ?? value) <= value && value <= (type.max ?? value);
}

function show(result: OperatorResult): string {
  if (!result.fits) {
    return result.code;
  }
  const { type } = result;
  return `${printType(type)}${type.kind === "int" ? lengths(type.min, type.max) : ""}`;
}

function lengths(min: bigint | number | undefined, max: bigint | number | undefined): string {
  return min === undefined && max === undefined ? "" : ` ${min ?? ""}..${max ?? ""}`;
}
