import {
  additionalOf,
  anyArray,
  anyObject,
  anyType,
  arrayOf,
  boolType,
  DecoratorTargets,
  intOf,
  intType,
  isAssignable,
  lambdaOf,
  objectOf,
  overload,
  parameter,
  propertyOf,
  stringType,
  unionOf,
  withoutNull,
} from "../types/index.ts";
import type { DecoratorCheck, DecoratorDefinition, FunctionParameter, ResultBuilder, Type } from "../types/index.ts";
import { callProblems } from "./diagnostics.ts";
import { plain } from "./results.ts";

const {
  Parameter,
  Type: TypeTarget,
  Variable,
  Resource,
  Module,
  Output,
  Metadata,
  Function,
  Extension,
  Assert,
} = DecoratorTargets;
const valueTargets = Parameter | Output | TypeTarget;
const everything =
  Parameter | TypeTarget | Variable | Resource | Module | Output | Metadata | Function | Extension | Assert;

const itemPredicate = lambdaOf([anyType], boolType);
const metadataObject = objectOf([propertyOf("description", stringType)], {
  name: "metadata",
  additional: additionalOf(anyType),
});

/** The decorators that every template has. */
export const sysDecorators: readonly DecoratorDefinition[] = [
  decorator("description", { targets: everything, parameters: [constant("text", stringType)] }),
  decorator("metadata", { targets: valueTargets, parameters: [constant("object", metadataObject)] }),
  decorator("secure", {
    targets: valueTargets,
    attachesTo: unionOf([stringType, anyObject]),
    checks: ["notOnAlias", "oneKind"],
  }),
  decorator("allowed", {
    targets: Parameter,
    parameters: [constant("values", anyArray)],
    result: ([values]) =>
      values?.kind === "tuple" && values.items.length === 0 ? callProblems.emptyAllowedList(0) : undefined,
    checks: ["notOnAlias", "notOnLiteral", "allowedItems"],
  }),
  decorator("minLength", { ...lengthDecorator(), checks: ["notOnAlias", "notOnLiteral", "lowerBound"] }),
  decorator("maxLength", { ...lengthDecorator(), checks: ["notOnAlias", "notOnLiteral", "upperBound"] }),
  decorator("minValue", { ...valueDecorator(), checks: ["notOnAlias", "lowerBound"] }),
  decorator("maxValue", { ...valueDecorator(), checks: ["notOnAlias", "upperBound"] }),
  decorator("sealed", { targets: valueTargets, attachesTo: anyObject, checks: ["closable"] }),
  decorator("discriminator", {
    targets: valueTargets,
    parameters: [constant("value", stringType)],
    attachesTo: anyObject,
    checks: ["taggedUnion"],
  }),
  decorator("export", { targets: TypeTarget | Variable | Function, checks: ["topLevel", "exportable"] }),
  decorator("batchSize", {
    targets: Resource | Module,
    parameters: [parameter("batchSize", intType)],
    result: ([size]) =>
      size?.kind === "intLiteral" && size.value < 1n ? callProblems.batchTooSmall(0, size.value) : undefined,
    checks: ["loop"],
  }),
  decorator("retryOn", {
    targets: Resource,
    parameters: [
      constant("exceptionCodes", arrayOf(stringType)),
      constant("retryCount", intOf(1n, undefined), { optional: true }),
    ],
  }),
  decorator("onlyIfNotExists", { targets: Resource }),
  decorator("nullIfNotFound", { targets: Resource, checks: ["existing"] }),
];

/** Decorators that an experimental feature brings, by the name of the feature. */
export const featureDecorators: ReadonlyMap<string, DecoratorDefinition> = new Map([
  [
    "waitUntil",
    decorator("waitUntil", {
      targets: Resource,
      parameters: [parameter("predicate", itemPredicate), parameter("maxWaitTime", stringType)],
    }),
  ],
  ["patch", decorator("patch", { targets: Resource })],
  [
    "userDefinedConstraints",
    decorator("validate", {
      targets: valueTargets,
      parameters: [
        parameter("predicate", itemPredicate),
        parameter("message", stringType, { optional: true, constant: true }),
      ],
    }),
  ],
]);

interface DecoratorOptions {
  readonly targets: number;
  readonly parameters?: readonly FunctionParameter[];
  /** What the target must be assignable to, once null is taken away. */
  readonly attachesTo?: Type;
  /** What is wrong with the arguments, if anything. */
  readonly result?: (argumentTypes: readonly Type[]) => ReturnType<typeof callProblems.negativeLength> | undefined;
  readonly checks?: readonly DecoratorCheck[];
}

function decorator(name: string, options: DecoratorOptions): DecoratorDefinition {
  const { targets, parameters = [], attachesTo, checks = [], result } = options;
  const builder: ResultBuilder = (call) => {
    const problem = result?.(call.argumentTypes);
    return problem === undefined ? plain(anyType) : { type: anyType, problems: [problem] };
  };
  return {
    name,
    overloads: [overload(name, { parameters, returns: anyType, result: builder })],
    targets,
    attachesTo: attachesTo === undefined ? undefined : (type) => isAssignable(withoutNull(type) ?? type, attachesTo),
    checks,
  };
}

function lengthDecorator(): DecoratorOptions {
  return {
    targets: valueTargets,
    parameters: [constant("length", intType)],
    attachesTo: unionOf([stringType, anyArray]),
    result: ([length]) =>
      length?.kind === "intLiteral" && length.value < 0n ? callProblems.negativeLength(0) : undefined,
  };
}

function valueDecorator(): DecoratorOptions {
  return { targets: valueTargets, parameters: [constant("value", intType)], attachesTo: intType };
}

function constant(name: string, type: Type, options: { readonly optional?: boolean } = {}): FunctionParameter {
  return parameter(name, type, { ...options, constant: true });
}
