import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anyArray,
  anyObject,
  anyType,
  arrayOf,
  boolType,
  intLiteral,
  intOf,
  intType,
  lambdaOf,
  looseString,
  nullable,
  nullType,
  objectOf,
  printType,
  propertyOf,
  PropertyFlags,
  secureString,
  stringLiteral,
  stringOf,
  stringType,
  tupleOf,
  TypeFlags,
  unionOf,
} from "../types/index.ts";
import type { CallResult, FileRequest, Type } from "../types/index.ts";
import { call, template, testHost } from "./call-for-tests.ts";
import { sysNamespace } from "./index.ts";

const sys = sysNamespace(template);
const text = (value: string): Type => stringLiteral(value);
const int = (value: number): Type => intLiteral(BigInt(value));
const texts = (...values: string[]): Type => tupleOf(values.map(text));
const required = (name: string, type: Type) => propertyOf(name, type, PropertyFlags.Required);

test("calls with known arguments have the type of their result", () => {
  const cases: [string, Type[], string][] = [
    ["toLower", [text("ABC")], "'abc'"],
    ["toUpper", [text("abc")], "'ABC'"],
    ["length", [text("abc")], "3"],
    ["length", [texts("a", "b")], "2"],
    ["format", [text("{0}-{1}"), text("a"), int(3)], "'a-3'"],
    ["replace", [text("aba"), text("a"), text("c")], "'cbc'"],
    ["split", [text("a,b"), text(",")], "['a', 'b']"],
    ["join", [texts("a", "b"), text("-")], "'a-b'"],
    ["substring", [text("abcdef"), int(1), int(2)], "'bc'"],
    ["take", [text("abc"), int(2)], "'ab'"],
    ["skip", [texts("a", "b", "c"), int(2)], "['c']"],
    ["first", [text("abc")], "'a'"],
    ["last", [text("abc")], "'c'"],
    ["contains", [texts("a"), text("a")], "true"],
    ["startsWith", [text("abc"), text("AB")], "true"],
    ["indexOf", [text("abc"), text("c")], "2"],
    ["empty", [text("")], "true"],
    ["padLeft", [int(7), int(3), text("0")], "'007'"],
    ["max", [int(3), int(9)], "9"],
    ["min", [tupleOf([int(3), int(9)])], "3"],
    ["concat", [texts("a"), texts("b")], "['a', 'b']"],
    ["union", [texts("a"), texts("a", "b")], "['a', 'b']"],
    ["distinct", [texts("a", "a")], "['a']"],
    ["base64", [text("abc")], "'YWJj'"],
    ["base64ToString", [text("YWJj")], "'abc'"],
    ["trim", [text(" a ")], "'a'"],
    ["json", [text('{"a": 1}')], "object"],
    ["json", [text("[1, true, null]")], "[1, true, null]"],
    ["json", [text("1.5")], "any"],
    ["uniqueString", [text("a")], "'"],
  ];
  for (const [name, argumentTypes, expected] of cases) {
    const { type, problems } = call(sys, name, argumentTypes);
    const printed = printType(type);
    assert.equal(expected === "'" ? printed.slice(0, 1) : printed, expected, name);
    assert.deepEqual(problems, [], name);
  }
});

test("some functions are never folded", () => {
  const cases: [string, Type[], string][] = [
    ["string", [int(1)], "string"],
    ["int", [text("1")], "int"],
    ["bool", [text("true")], "bool"],
    ["array", [int(1)], "array"],
    ["cidrHost", [text("10.0.0.0/24"), int(1)], "string"],
    ["dateTimeToEpoch", [text("2020-01-01T00:00:00Z")], "int"],
  ];
  for (const [name, argumentTypes, expected] of cases) {
    assert.equal(printType(call(sys, name, argumentTypes).type), expected);
  }
  const concat = call(sys, "concat", [text("a"), text("b")]);
  assert.equal(printType(concat.type), "string");
});

test("what will fail at deployment is a warning over all arguments, and has the general type", () => {
  const { type, problems } = call(sys, "substring", [text("abc"), int(9)]);

  assert.equal(type.kind, "string");
  assert.deepEqual(
    problems.map(({ code, level, argument }) => [code, level, argument]),
    [["BCP234", "warning", "all"]],
  );
});

test("results that are not known still have lengths, bounds and items", () => {
  const short = stringOf({ minLength: 2, maxLength: 4 });
  const few = arrayOf(intType, { minLength: 1, maxLength: 3 });
  const cases: [string, Type[], Type][] = [
    ["toLower", [short], short],
    ["trim", [short], stringOf({ maxLength: 4 })],
    ["uniqueString", [stringType], stringOf({ minLength: 13, maxLength: 13 })],
    ["guid", [stringType], stringOf({ minLength: 36, maxLength: 36 })],
    ["newGuid", [], stringOf({ minLength: 36, maxLength: 36 })],
    ["take", [short, int(3)], stringOf({ minLength: 2, maxLength: 3 })],
    ["skip", [short, int(3)], stringOf({ minLength: 0, maxLength: 1 })],
    ["first", [short], stringOf({ minLength: 1, maxLength: 1 })],
    ["last", [stringType], stringOf({ maxLength: 1 })],
    ["padLeft", [short, int(3)], stringOf({ minLength: 3, maxLength: 4 })],
    ["substring", [stringType, int(0), int(5)], stringOf({ minLength: 5, maxLength: 5 })],
    ["substring", [short, int(1)], stringOf({ minLength: 1, maxLength: 3 })],
    ["substring", [stringType, intType, intOf(2n, 5n)], stringOf({ minLength: 2, maxLength: 5 })],
    ["substring", [short, anyType, anyType], stringType],
    ["padLeft", [stringType, intType], stringType],
    ["take", [short, intType], stringOf({ maxLength: 4 })],
    ["take", [stringType, int(3)], stringOf({ maxLength: 3 })],
    ["length", [short], intOf(2n, 4n)],
    ["length", [few], intOf(1n, 3n)],
    ["length", [objectOf([required("a", stringType), propertyOf("b", stringType)])], intOf(1n, 2n)],
    ["indexOf", [short, stringType], intOf(-1n, 3n)],
    ["range", [int(5), int(3)], arrayOf(intOf(5n, 7n), { minLength: 3, maxLength: 3 })],
    ["range", [intType, int(2)], arrayOf(intType, { minLength: 2, maxLength: 2 })],
    ["first", [few], intType],
    ["first", [arrayOf(intType)], nullable(intType)],
    ["first", [tupleOf([text("a"), stringType])], text("a")],
    ["last", [tupleOf([text("a"), stringType])], stringType],
    ["first", [tupleOf([])], nullType],
    ["take", [few, int(2)], arrayOf(intType, { minLength: 1, maxLength: 2 })],
    ["skip", [few, int(1)], arrayOf(intType, { maxLength: 2 })],
    ["take", [tupleOf([intType, stringType]), int(1)], tupleOf([intType])],
    ["skip", [tupleOf([intType, stringType]), int(1)], tupleOf([stringType])],
    ["concat", [tupleOf([intType]), tupleOf([stringType])], tupleOf([intType, stringType])],
    ["concat", [few, arrayOf(stringType)], arrayOf(unionOf([intType, stringType]), { minLength: 1 })],
    ["concat", [tupleOf([intType]), few], arrayOf(intType, { minLength: 2, maxLength: 4 })],
    ["concat", [few, few], arrayOf(intType, { minLength: 2, maxLength: 6 })],
    ["min", [intOf(1n, 5n), intOf(2n, 9n)], intOf(1n, 5n)],
    ["max", [intOf(1n, 5n), intOf(2n, 9n)], intOf(2n, 9n)],
    ["max", [intOf(1n, 5n), intType], intOf(1n, undefined)],
    ["min", [arrayOf(intOf(1n, 4n))], intOf(1n, 4n)],
    ["flatten", [arrayOf(arrayOf(intType))], arrayOf(intType)],
    ["flatten", [tupleOf([tupleOf([intType]), tupleOf([stringType])])], tupleOf([intType, stringType])],
    ["flatten", [arrayOf(anyArray)], anyArray],
    ["map", [few, lambdaOf([intType], stringType)], arrayOf(stringType, { minLength: 1, maxLength: 3 })],
    ["filter", [few, lambdaOf([intType], boolType)], arrayOf(intType, { maxLength: 3 })],
    ["sort", [few, lambdaOf([intType, intType], boolType)], few],
    ["reduce", [few, int(0), lambdaOf([anyType, intType], intType)], intType],
    ["json", [stringType], anyType],
    ["any", [stringType], anyType],
  ];
  for (const [name, argumentTypes, expected] of cases) {
    const { type } = call(sys, name, argumentTypes);
    assert.equal(type.key, expected.key, `${name}(${argumentTypes.map(printType).join(", ")})`);
  }
});

test("functions with lambdas make objects of what the lambdas return", () => {
  const member = (name: string, argumentTypes: Type[]): string => {
    const { type } = call(sys, name, argumentTypes);
    return type.kind === "object" && type.additional !== undefined ? printType(type.additional.type) : "";
  };
  const key = lambdaOf([anyType], stringType);

  assert.equal(member("toObject", [arrayOf(intType), key]), "int");
  assert.equal(member("toObject", [arrayOf(intType), key, lambdaOf([intType], boolType)]), "bool");
  assert.equal(member("groupBy", [arrayOf(intType), key]), "int[]");
  assert.equal(member("groupBy", [arrayOf(intType), key, lambdaOf([intType], boolType)]), "bool[]");
  assert.equal(member("mapValues", [anyObject, lambdaOf([anyType], intType)]), "int");
});

test("items gives a key and a value for each member", () => {
  const { type } = call(sys, "items", [objectOf([required("a", int(1)), required("b", int(2))])]);

  assert.ok(type.kind === "array" && type.item.kind === "object");
  assert.equal(type.item.properties.get("key")?.type, stringType);
  assert.equal(type.item.properties.get("value")?.type.key, intOf(1n, 2n).key);
});

test("a secret stays one in what is made of it", () => {
  const { type } = call(sys, "toLower", [secureString]);

  assert.equal(type.flags, TypeFlags.Secure);
});

test("bad arguments of compile-time functions are told by code", () => {
  const codes = (name: string, argumentTypes: Type[]): unknown[] =>
    call(sys, name, argumentTypes).problems.map(({ code, level, argument }) => [code, level, argument]);

  assert.deepEqual(codes("json", [text("{")]), [["BCP186", "error", 0]]);
  assert.deepEqual(codes("flatten", [arrayOf(intType)]), [["BCP309", "error", 0]]);
  assert.deepEqual(codes("flatten", [tupleOf([anyArray, intType])]), [["BCP309", "error", 0]]);
  assert.deepEqual(codes("nameof", [anyType]), [["BCP408", "error", 0]]);
  assert.deepEqual(codes("loadTextContent", [stringType]), [["BCP032", "error", 0]]);
  assert.deepEqual(codes("loadTextContent", [text("missing"), looseString]), [["BCP032", "error", 1]]);
  assert.deepEqual(codes("loadTextContent", [text("missing")]), [["BCP091", "error", 0]]);
});

test("file functions pass on what they are asked for and have the type of what they find", () => {
  const requests: FileRequest[] = [];
  const found = (name: string, argumentTypes: Type[]): string =>
    printType(
      call(sys, name, argumentTypes, {
        ...testHost,
        files: { load: (request) => (requests.push(request), { value: ["x"] }) },
      }).type,
    );

  assert.equal(found("loadTextContent", [text("a.txt"), text("utf-8")]), "['x']");
  assert.equal(found("loadFileAsBase64", [text("a.bin")]), "['x']");
  assert.equal(found("loadJsonContent", [text("a.json"), text("$.b"), text("utf-16")]), "['x']");
  assert.equal(found("loadYamlContent", [text("a.yaml"), text("$.b")]), "['x']");
  assert.equal(found("loadDirectoryFileInfo", [text("a"), text("*.x")]), "['x']");
  assert.deepEqual(
    requests.map(({ kind, path, selector, encoding }) => [kind, path, selector, encoding]),
    [
      ["text", "a.txt", undefined, "utf-8"],
      ["base64", "a.bin", undefined, undefined],
      ["json", "a.json", "$.b", "utf-16"],
      ["yaml", "a.yaml", "$.b", undefined],
      ["directory", "a", "*.x", undefined],
    ],
  );
});

test("a file that was read may still be worth a word, and without a loader the type is general", () => {
  const problem = { code: "BCP185", level: "info", message: "Another encoding.", argument: 1 } as const;
  const files = { load: () => ({ value: "x", problem }) };

  const told = call(sys, "loadTextContent", [text("a.txt"), text("utf-8")], { ...testHost, files });
  const unknown = call(sys, "loadTextContent", [text("a.txt")], { ...testHost, files: undefined });

  assert.deepEqual([printType(told.type), told.problems], ["'x'", [problem]]);
  assert.equal(unknown.type, stringType);
});

test("an environment variable is its value, else the default, else an error", () => {
  const parameters = sysNamespace({ ...template, file: "parameters" });
  const read = (...argumentTypes: Type[]): CallResult => call(parameters, "readEnvironmentVariable", argumentTypes);

  assert.equal(printType(read(text("SET")).type), "'value of SET'");
  assert.equal(printType(read(text("UNSET"), text("d")).type), "'d'");
  assert.deepEqual(
    read(text("UNSET")).problems.map(({ code }) => code),
    ["BCP427"],
  );
});

test("doubling an array or a text line by line does not fill the memory", () => {
  let list: Type = tupleOf([intType]);
  let line: Type = text("ab");
  for (let level = 0; level < 2000; level += 1) {
    list = call(sys, "concat", [list, list]).type;
    line = call(sys, "format", [text("{0}{0}"), line]).type;
  }

  assert.equal(list.kind, "array");
  assert.equal(line.kind, "string");
  assert.equal(call(sys, "length", [list]).type.kind, "int");
  assert.equal(call(sys, "length", [line]).type.kind, "int");
});
