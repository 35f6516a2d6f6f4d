import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anyArray,
  anyObject,
  boolType,
  DecoratorTargets,
  FunctionFlags,
  intLiteral,
  intType,
  nullable,
  objectOf,
  printType,
  propertyOf,
  PropertyFlags,
  ScopeFlags,
  stringLiteral,
  stringType,
  trueType,
  tupleOf,
} from "../types/index.ts";
import type { NamespaceType, Type } from "../types/index.ts";
import { call, template, testHost } from "./call-for-tests.ts";
import { azNamespace, printSignature, sysNamespace, thisNamespace } from "./index.ts";

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
    [sys, "loadDirectoryFileInfo", ["(directoryPath: string, [searchPattern: string]): any"]],
    [
      sys,
      "loadJsonContent",
      [
        "(filePath: string, [jsonPath: string], [encoding: 'iso-8859-1' | 'us-ascii' | 'utf-16' | 'utf-16BE' | 'utf-8']): any",
      ],
    ],
    [
      sys,
      "loadTextContent",
      ["(filePath: string, [encoding: 'iso-8859-1' | 'us-ascii' | 'utf-16' | 'utf-16BE' | 'utf-8']): string"],
    ],
    [sys, "parseUri", ["(baseUrl: string): parseUri"]],
    [az, "tenantResourceId", ["(resourceType: string, ... : string): string"]],
    [az, "listKeys", ["(resourceNameOrIdentifier: string, apiVersion: string, [functionValues: object]): any"]],
  ];
  for (const [namespace, name, signatures] of cases) {
    assert.deepEqual(namespace.functions.overloads(name).map(printSignature), signatures);
  }
});

test("some arguments must be compile-time constants", () => {
  const parameters = sysNamespace({ ...template, file: "parameters" });
  const constants = (name: string): boolean[] =>
    parameters.functions.overloads(name).flatMap((overload) => overload.parameters.map(({ constant }) => constant));
  const decorated = (name: string): boolean[] =>
    sys.decorators.get(name)?.overloads.flatMap(({ parameters: all }) => all.map(({ constant }) => constant)) ?? [];

  assert.deepEqual(constants("externalInput"), [true, true]);
  assert.deepEqual(constants("readEnvironmentVariable"), [true, true]);
  assert.deepEqual(constants("toLower"), [false]);
  assert.deepEqual(
    ["description", "allowed", "minLength", "maxValue", "metadata", "discriminator", "retryOn", "batchSize"].map(
      decorated,
    ),
    [[true], [true], [true], [true], [true], [true], [true, true], [false]],
  );
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

test("decorators know what they stand on and what they are given", () => {
  const attaches = (name: string, type: Type): boolean | undefined => sys.decorators.get(name)?.attachesTo?.(type);
  const complains = (name: string, ...argumentTypes: Type[]): string[] => {
    const overload = sys.decorators.get(name)?.overloads[0];
    const result = overload?.result?.({ argumentTypes, argumentNodes: [], host: testHost });
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
  assert.equal(sys.decorators.get("retryOn")?.overloads[0]?.minimumArguments, 1);
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
