import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anyArray,
  anyObject,
  anyType,
  arrayOf,
  intLiteral,
  intType,
  lambdaOf,
  nullable,
  nullType,
  objectOf,
  printType,
  propertyOf,
  PropertyFlags,
  stringLiteral,
  stringOf,
  stringType,
  tupleOf,
} from "../types/index.ts";
import type { Type } from "../types/index.ts";
import { template } from "./call-for-tests.ts";
import { azNamespace, parameterTypeAt, printSignature, resolveOverload, sysNamespace } from "./index.ts";

const sys = sysNamespace(template);
const az = azNamespace(template);
const text = (value: string): Type => stringLiteral(value);
const int = (value: number): Type => intLiteral(BigInt(value));
const texts = (...values: string[]): Type => tupleOf(values.map(text));
const required = (name: string, type: Type) => propertyOf(name, type, PropertyFlags.Required);

test("an overload is chosen by the arguments, or the reason says why none fits", () => {
  const cases: [string, Type[], unknown][] = [
    ["concat", [anyArray, anyArray], "(... : array): array"],
    ["concat", [text("a"), int(1)], "(... : bool | int | string): string"],
    ["concat", [anyType, text("a")], "(... : bool | int | string): string"],
    ["concat", [anyType], "ambiguous"],
    ["concat", [text("a"), anyArray], ["BCP070", 1]],
    ["concat", [anyObject], ["BCP048", 0]],
    ["contains", [text("a"), int(1)], ["BCP070", 1]],
    ["contains", [int(1), int(1)], ["BCP048", 0]],
    ["contains", [text("a")], ["BCP071", 2, 2]],
    ["concat", [], ["BCP071", 1, undefined]],
    ["max", [text("a"), int(2)], ["BCP070", 0]],
    ["padLeft", [text("a")], ["BCP071", 2, 3]],
    ["toLower", [int(1)], ["BCP070", 0]],
    ["toLower", [text("a"), int(1)], ["BCP071", 1, 1]],
    ["toLower", [nullable(stringType)], "(stringToChange: string): string"],
    ["toLower", [nullType], ["BCP070", 0]],
    [
      "replace",
      [nullable(stringType), nullable(stringType), text("x")],
      "(originalString: string, oldString: string, newString: string): string",
    ],
    ["map", [anyArray, lambdaOf([anyType], intType)], "(array: array, predicate: (any[, int]) => any): array"],
    ["map", [anyArray, lambdaOf([anyType, anyType, anyType], intType)], ["BCP070", 1]],
    ["dateTimeFromEpoch", [], "([epochTime: int]): string"],
  ];
  for (const [name, argumentTypes, expected] of cases) {
    const resolution = resolveOverload(sys.functions.overloads(name), argumentTypes);
    assert.deepEqual(summary(resolution), expected, `${name}(${argumentTypes.map(printType).join(", ")})`);
  }
});

test("the first overload that surely fits wins, and any leaves all of them open", () => {
  const candidates = az.functions.overloads("resourceId");

  assert.equal(
    summary(resolveOverload(candidates, [stringType, stringType, stringType])),
    "(resourceType: string, ... : string): string",
  );
  assert.equal(summary(resolveOverload(candidates, [stringType, anyType, stringType])), "ambiguous");
});

test("an exact name wins over a wildcard when any leaves both open", () => {
  const [wildcard] = az.functions.overloads("listKeys");
  const [exact] = az.functions.overloads("reference");
  assert.ok(wildcard !== undefined && exact !== undefined);

  const resolution = resolveOverload([wildcard, exact], [anyType, anyType]);

  assert.equal(resolution.kind === "match" && resolution.overload, exact);
});

test("the result of a call is worked out without the null that was let pass", () => {
  const resolution = resolveOverload(sys.functions.overloads("toLower"), [nullable(stringOf({ maxLength: 3 }))]);

  assert.ok(resolution.kind === "match");
  assert.deepEqual(resolution.argumentTypes.map(printType), ["string"]);
});

test("parameters are as sharp as the other arguments allow", () => {
  const sharp = (name: string, index: number, argumentTypes: Type[]): string => {
    const [overload] = sys.functions.overloads(name);
    const type = overload && parameterTypeAt(overload, index, argumentTypes);
    return type === undefined ? "" : type.kind === "int" ? `${type.min}..${type.max}` : printType(type);
  };

  assert.equal(sharp("map", 1, [arrayOf(stringType)]), "(string[, int]) => any");
  assert.equal(sharp("filter", 1, [texts("a", "b")]), "('a' | 'b'[, int]) => bool");
  assert.equal(sharp("sort", 1, [arrayOf(intType)]), "(int, int) => bool");
  assert.equal(sharp("reduce", 2, [arrayOf(intType), anyType]), "(any, int[, int]) => any");
  assert.equal(sharp("toObject", 1, [arrayOf(intType)]), "int => string");
  assert.equal(sharp("groupBy", 2, [arrayOf(intType)]), "int => any");
  assert.equal(sharp("mapValues", 1, [objectOf([required("a", intType)])]), "int => any");
  assert.equal(sharp("map", 1, [anyType]), "(any[, int]) => any");
  assert.equal(sharp("substring", 1, [text("abc")]), "0..3");
  assert.equal(sharp("substring", 2, [text("abc"), int(1)]), "0..2");
  assert.equal(sharp("substring", 1, [stringType]), "0..undefined");
  assert.equal(sharp("format", 5, [text("abc")]), "any");
});

function summary(resolution: ReturnType<typeof resolveOverload>): unknown {
  switch (resolution.kind) {
    case "match":
      return printSignature(resolution.overload);
    case "ambiguous":
      return resolution.kind;
    case "wrongCount":
      return [resolution.code, resolution.minimum, resolution.maximum];
    default:
      return [resolution.code, resolution.argument];
  }
}
