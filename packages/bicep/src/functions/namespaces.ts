import {
  anyArray,
  anyObject,
  anyType,
  boolType,
  FunctionFlags,
  functionTable,
  intType,
  namespaceOf,
  nullable,
  overload,
  parameter,
  ScopeFlags,
  stringType,
} from "../types/index.ts";
import type { DecoratorDefinition, FunctionOverload, NamespaceType, Type } from "../types/index.ts";
import { azFunctions, azParameterFunctions } from "./az-functions.ts";
import { environmentVariable } from "./compile-time-results.ts";
import { featureDecorators, sysDecorators } from "./sys-decorators.ts";
import { sysFunctions } from "./sys-functions.ts";

export interface NamespaceOptions {
  readonly file: "template" | "parameters";
  /** `ScopeFlags`: what the template targets. */
  readonly targetScope: number;
  /** Whether an experimental feature is on; names as in `experimentalFeaturesEnabled`. */
  readonly feature: (name: string) => boolean;
}

/** The functions, decorators and types that need no declaration. */
export function sysNamespace(options: NamespaceOptions): NamespaceType {
  const functions = [...sysFunctions];
  if (options.file === "parameters") {
    functions.push(...parameterFileFunctions);
    if (options.feature("deployCommands")) {
      functions.push(...deployCommandFunctions);
    }
  }
  const decorators = [...sysDecorators];
  for (const [feature, definition] of featureDecorators) {
    if (options.feature(feature)) {
      decorators.push(definition);
    }
  }
  return namespaceOf("sys", {
    functions: functionTable(functions),
    decorators: byName(decorators),
    types: ambientTypes,
  });
}

/** What a template can ask of Azure; a parameters file can only refer to secrets. */
export function azNamespace(options: NamespaceOptions): NamespaceType {
  const scope = options.targetScope === ScopeFlags.None ? ScopeFlags.ResourceGroup : options.targetScope;
  return namespaceOf("az", {
    functions: functionTable(options.file === "parameters" ? azParameterFunctions : azFunctions(scope)),
    decorators: byName([]),
    types: new Map(),
  });
}

/** `this` inside of a resource's body. */
export function thisNamespace(resourceBody: Type): NamespaceType {
  return namespaceOf("this", {
    functions: functionTable([
      overload("exists", { returns: boolType, flags: FunctionFlags.RequiresInlining }),
      overload("existingResource", { returns: nullable(resourceBody), flags: FunctionFlags.RequiresInlining }),
    ]),
    decorators: byName([]),
    types: new Map(),
  });
}

/** The types that can be named anywhere, also as `sys.string`. */
const ambientTypes: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["any", anyType],
  ["array", anyArray],
  ["bool", boolType],
  ["int", intType],
  ["object", anyObject],
  ["string", stringType],
]);

/** The types that take the text of a resource type between `<` and `>`; members of `sys` as well. */
export const resourceDerivedTypes: ReadonlySet<string> = new Set(["resource", "resourceInput", "resourceOutput"]);

const parameterFileFunctions: readonly FunctionOverload[] = [
  overload("externalInput", {
    parameters: [
      parameter("name", stringType, { constant: true }),
      parameter("config", anyType, { constant: true, optional: true }),
    ],
    returns: anyType,
    flags: FunctionFlags.ExternalInput,
  }),
  overload("readEnvironmentVariable", {
    parameters: [
      parameter("variableName", stringType, { constant: true }),
      parameter("default", stringType, { constant: true, optional: true }),
    ],
    returns: stringType,
    result: environmentVariable,
  }),
];

const deployCommandFunctions: readonly FunctionOverload[] = ["readCliArg", "readEnvVar"].map((name) =>
  overload(name, {
    parameters: [parameter("name", stringType, { constant: true })],
    returns: stringType,
    flags: FunctionFlags.ExternalInput,
  }),
);

function byName(decorators: readonly DecoratorDefinition[]): ReadonlyMap<string, DecoratorDefinition> {
  return new Map(decorators.map((definition) => [definition.name, definition]));
}
