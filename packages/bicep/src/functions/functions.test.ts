import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anyArray,
  anyObject,
  anyType,
  arrayOf,
  boolType,
  DecoratorTargets,
  FunctionFlags,
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
  ScopeFlags,
  secureString,
  stringLiteral,
  stringOf,
  stringType,
  trueType,
  tupleOf,
  TypeFlags,
  unionOf,
} from "../types/index.ts";
import type { Call, CallHost, CallResult, FileRequest, NamespaceType, Type } from "../types/index.ts";
import {
  azNamespace,
  parameterTypeAt,
  printSignature,
  resolveOverload,
  sysNamespace,
  templateFold,
  thisNamespace,
} from "./index.ts";
import type { NamespaceOptions } from "./index.ts";

const template: NamespaceOptions = {
  file: "template",
  targetScope: ScopeFlags.ResourceGroup,
  feature: () => false,
};
const sys = sysNamespace(template);
const az = azNamespace(template);
const text = (value: string): Type => stringLiteral(value);
const int = (value: number): Type => intLiteral(BigInt(value));
const texts = (...values: string[]): Type => tupleOf(values.map(text));
const required = (name: string, type: Type) => propertyOf(name, type, PropertyFlags.Required);

test("every namespace has its functions", () => {
  // Names, then overloads.
  const counts = (namespace: NamespaceType): [number, number] => {
    const { names } = namespace.functions;
    const overloads = names.flatMap((name) => namespace.functions.overloads(name).filter(({ wildcard }) => !wildcard));
    return [names.length, overloads.length];
  };

  assert.deepEqual(counts(sys), [72, 86]);
  assert.deepEqual(counts(az), [20, 29]);
  assert.deepEqual(counts(sysNamespace({ ...template, file: "parameters" })), [74, 88]);
  assert.deepEqual(counts(azNamespace({ ...template, file: "parameters" })), [1, 1]);
});

test("signatures print with optional and repeated parameters", () => {
  const cases: [NamespaceType, string, string[]][] = [
    [sys, "concat", ["(... : array): array", "(... : bool | int | string): string"]],
    [sys, "dateTimeAdd", ["(base: string, duration: string, [format: string]): string"]],
    [sys, "reduce", ["(array: array, initialValue: any, predicate: (any, any[, int]) => any): any"]],
    [sys, "parseUri", ["(baseUrl: string): parseUri"]],
    [az, "tenantResourceId", ["(resourceType: string, ... : string): string"]],
    [az, "listKeys", ["(resourceNameOrIdentifier: string, apiVersion: string, [functionValues: object]): any"]],
  ];
  for (const [namespace, name, signatures] of cases) {
    assert.deepEqual(namespace.functions.overloads(name).map(printSignature), signatures);
  }
});

test("flags say where functions may be called", () => {
  const flags = (namespace: NamespaceType, name: string): number =>
    namespace.functions.overloads(name).reduce((all, overload) => all | overload.flags, 0);

  assert.equal(flags(sys, "utcNow"), FunctionFlags.ParamDefaultsOnly);
  assert.equal(flags(sys, "newGuid"), FunctionFlags.ParamDefaultsOnly);
  assert.equal(flags(az, "reference"), FunctionFlags.RequiresInlining);
  assert.equal(flags(az, "list"), FunctionFlags.RequiresInlining);
  assert.equal(flags(az, "listAnything"), FunctionFlags.RequiresInlining);
  assert.equal(flags(az, "toPhysicalZones"), FunctionFlags.RequiresInlining);
  assert.equal(flags(sys, "toLower"), FunctionFlags.Pure);
  assert.equal(
    flags(sys, "loadTextContent"),
    FunctionFlags.Pure | FunctionFlags.LoadsFile | FunctionFlags.VariableUnlessDirect,
  );
  assert.equal(flags(az, "providers"), FunctionFlags.Deprecated);
  assert.deepEqual(az.functions.overloads("list1"), []);
  assert.deepEqual(az.functions.overloads("relist"), []);
});

test("scope functions exist where their scope can be reached", () => {
  const arities = (targetScope: number): Record<string, number[]> => {
    const functions = azNamespace({ ...template, targetScope }).functions;
    const names = ["tenant", "managementGroup", "subscription", "resourceGroup"];
    return Object.fromEntries(
      names.map((name) => [name, functions.overloads(name).map((overload) => overload.minimumArguments)]),
    );
  };

  const { Tenant, ManagementGroup, Subscription, ResourceGroup } = ScopeFlags;
  assert.deepEqual(arities(Tenant), { tenant: [0], managementGroup: [1], subscription: [1], resourceGroup: [2] });
  assert.deepEqual(arities(ManagementGroup), {
    tenant: [0],
    managementGroup: [0, 1],
    subscription: [1],
    resourceGroup: [2],
  });
  assert.deepEqual(arities(Subscription), {
    tenant: [0],
    managementGroup: [1],
    subscription: [0, 1],
    resourceGroup: [1, 2],
  });
  assert.deepEqual(arities(ResourceGroup), {
    tenant: [0],
    managementGroup: [1],
    subscription: [0, 1],
    resourceGroup: [0, 1, 2],
  });
});

test("a scope function without arguments can be read, with arguments it is only a place", () => {
  const here = call(az, "resourceGroup", []).type;
  const elsewhere = call(az, "resourceGroup", [text("x")]).type;

  assert.ok(here.kind === "object" && elsewhere.kind === "object");
  assert.equal(here.properties.get("location")?.type, stringType);
  assert.equal(here.scope?.scope, ScopeFlags.ResourceGroup);
  assert.equal(elsewhere.properties.size, 0);
  assert.equal(elsewhere.scope?.arguments.length, 1);
});

test("a deployment has a location unless it is in a resource group", () => {
  const locationAt = (targetScope: number): boolean => {
    const [overload] = azNamespace({ ...template, targetScope }).functions.overloads("deployment");
    return overload?.returns.kind === "object" && overload.returns.properties.has("location");
  };

  assert.equal(locationAt(ScopeFlags.ResourceGroup), false);
  assert.equal(locationAt(ScopeFlags.Subscription), true);
});

test("experimental features bring functions and decorators", () => {
  const off = sysNamespace(template);
  const on = sysNamespace({ ...template, feature: () => true });

  for (const name of ["waitUntil", "patch", "validate"]) {
    assert.equal(off.decorators.has(name), false);
    assert.equal(on.decorators.has(name), true);
  }
  const parameters = sysNamespace({ ...template, file: "parameters", feature: (name) => name === "deployCommands" });
  assert.equal(parameters.functions.overloads("readCliArg").length, 1);
});

test("this tells about the resource that it stands in", () => {
  const body = objectOf([required("name", stringType)]);

  const { functions } = thisNamespace(body);

  assert.equal(functions.overloads("exists")[0]?.returns, boolType);
  assert.equal(functions.overloads("existingResource")[0]?.returns.key, nullable(body).key);
});

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
        ...host,
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

test("decorators know what they stand on and what they are given", () => {
  const attaches = (name: string, type: Type): boolean | undefined => sys.decorators.get(name)?.attachesTo?.(type);
  const complains = (name: string, ...argumentTypes: Type[]): string[] => {
    const overload = sys.decorators.get(name)?.overloads[0];
    const result = overload?.result?.({ argumentTypes, argumentNodes: [], host });
    return result?.problems.map(({ code }) => code) ?? [];
  };

  assert.equal(attaches("secure", stringType), true);
  assert.equal(attaches("secure", nullable(anyObject)), true);
  assert.equal(attaches("secure", intType), false);
  assert.equal(attaches("minValue", nullable(intType)), true);
  assert.equal(attaches("minValue", stringType), false);
  assert.equal(attaches("maxLength", anyArray), true);
  assert.equal(attaches("maxLength", boolType), false);
  assert.equal(attaches("sealed", trueType), false);
  assert.equal(attaches("description", trueType), undefined);
  assert.deepEqual(complains("minLength", int(-1)), ["BCP168"]);
  assert.deepEqual(complains("maxLength", int(0)), []);
  assert.deepEqual(complains("batchSize", int(0)), ["BCP154"]);
  assert.deepEqual(complains("batchSize", int(1)), []);
  assert.deepEqual(complains("allowed", tupleOf([])), ["BCP099"]);
  assert.deepEqual(complains("allowed", texts("a")), []);
  assert.equal(sys.decorators.get("batchSize")?.targets, DecoratorTargets.Resource | DecoratorTargets.Module);
  assert.equal(sys.decorators.get("allowed")?.targets, DecoratorTargets.Parameter);
});

test("plain types have names of their own", () => {
  assert.deepEqual(
    Array.from(sys.types, ([name, type]) => [name, printType(type)]),
    [
      ["any", "any"],
      ["array", "array"],
      ["bool", "bool"],
      ["int", "int"],
      ["object", "object"],
      ["string", "string"],
    ],
  );
});

const host: CallHost = {
  fold: templateFold,
  files: {
    load: () => ({ problem: { code: "BCP091", level: "error", message: "There is no such file.", argument: 0 } }),
  },
  nameOf: () => undefined,
  environmentVariable: (name) => (name === "SET" ? "value of SET" : undefined),
};

function call(namespace: NamespaceType, name: string, argumentTypes: Type[], callHost: CallHost = host): CallResult {
  const resolution = resolveOverload(namespace.functions.overloads(name), argumentTypes);
  assert.ok(resolution.kind === "match", `${name}: ${resolution.kind}`);
  const argumentNodes: Call["argumentNodes"] = argumentTypes.map(() => ({
    kind: "NullLiteral",
    start: 0,
    end: 0,
    token: undefined as never,
  }));
  const { overload } = resolution;
  return (
    overload.result?.({ argumentTypes: resolution.argumentTypes, argumentNodes, host: callHost }) ?? {
      type: overload.returns,
      problems: [],
    }
  );
}

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
