import type { BicepSymbol, FunctionSymbol, LocalSymbol, ResourceSymbol } from "../semantics/index.ts";
import type { ModuleSymbol, ParameterSymbol, TestSymbol, VariableSymbol } from "../semantics/index.ts";
import type { ForExpression } from "../syntax/index.ts";
import {
  anyType,
  arrayOf,
  collapse,
  intOf,
  isLiteral,
  lengthsOf,
  objectOf,
  overload,
  parameter,
  propertyOf,
  silentError,
  TypeFlags,
  unionOf,
  withFlags,
  withoutNull,
} from "../types/index.ts";
import type { FunctionOverload, Type } from "../types/index.ts";
import { typeOfLambdaParameter } from "./calls.ts";
import type { Checker } from "./checker.ts";
import { refinedSource } from "./decorated-types.ts";
import { isDeferred } from "./deferred.ts";
import { checks } from "./diagnostics.ts";
import { narrow, plainAssignment, resourceAssignment } from "./narrow.ts";

/** The type of what a symbol stands for. */
export function typeOfDeclaration(checker: Checker, symbol: BicepSymbol): Type {
  switch (symbol.kind) {
    case "parameter":
      return typeOfParameter(checker, symbol);
    case "variable":
      return typeOfVariable(checker, symbol);
    case "type":
      return resolve(checker, symbol);
    case "resource":
      return typeOfResource(checker, symbol);
    case "module":
    case "test":
      return typeOfModule(checker, symbol);
    case "local":
      return typeOfLocal(checker, symbol);
    case "parameterAssignment":
      return checker.typeOf(symbol.declaration.value);
    case "output":
      return checker.typeOfTypeExpression(symbol.declaration.type);
    case "metadata":
    case "assert":
      return checker.typeOf(symbol.declaration.value);
    case "imported": {
      const exported = checker.importOf(symbol)?.exported;
      return exported === undefined || exported.kind === "function" ? silentError : exported.type;
    }
    case "ambientType":
    case "namespace":
      return symbol.type;
    case "extension":
      return checker.namespaceOf(symbol) ?? silentError;
    case "baseParameters":
      return typeOfBase(checker);
    case "wildcard":
      return checker.wildcardOf(symbol) === undefined ? silentError : objectOf([], { name: symbol.name });
    case "function":
    case "builtInFunction":
    case "extensionConfiguration":
    case "error":
      return silentError;
    default:
      return symbol satisfies never;
  }
}

function resolve(checker: Checker, symbol: Extract<BicepSymbol, { kind: "type" }>): Type {
  if (checker.typeCycleOf(symbol) !== undefined) {
    return silentError;
  }
  const source = checker.sourceOfDeclaredType(symbol);
  return isDeferred(source) ? source.type : source;
}

// ---------------------------------------------------------------------------------------------------- parameters

/** As written and decorated; a plain string, int or bool may later be put where a literal of its kind is expected. */
function typeOfParameter(checker: Checker, symbol: ParameterSymbol): Type {
  const { declaration } = symbol;
  const written = checker.typeOfTypeExpression(declaration.type);
  if (written.kind === "error") {
    return written;
  }
  const source = refinedSource(checker, declaration, written);
  const type = isDeferred(source) ? source.type : source;
  const allowed = allowedType(checker, symbol, type);
  if (allowed !== undefined) {
    return allowed;
  }
  const isPlain = type.kind === "string" || type.kind === "int" || type.kind === "bool";
  return isPlain ? withFlags(type, type.flags | TypeFlags.Loose) : type;
}

/** The union of the values that `@allowed` lists. */
function allowedType(checker: Checker, symbol: ParameterSymbol, type: Type): Type | undefined {
  const decorator = checker.decoratorsOf(symbol.declaration).find((item) => item.definition.name === "allowed");
  const argument = decorator?.args[0]?.expression;
  const list = argument === undefined ? undefined : checker.typeOf(argument);
  if (list?.kind !== "tuple" || list.items.length === 0 || !list.items.every(isLiteral)) {
    return undefined;
  }
  const values = list.items.map((item) => withFlags(item, type.flags & TypeFlags.Secure));
  switch (type.kind) {
    case "string":
      return values.every((value) => value.kind === "stringLiteral") ? unionOf(values) : undefined;
    case "int":
      return values.every((value) => value.kind === "intLiteral") ? unionOf(values) : undefined;
    case "bool":
      return values.every((value) => value.kind === "boolLiteral") ? unionOf(values) : undefined;
    case "array":
      return values.every((value) => value.kind === "tuple") ? unionOf(values) : arrayOf(unionOf(values), type);
    default:
      return undefined;
  }
}

// ---------------------------------------------------------------------------------------------------- values

function typeOfVariable(checker: Checker, symbol: VariableSymbol): Type {
  const { value, type } = symbol.declaration;
  const valueType = checker.typeOf(value);
  if (type !== undefined) {
    const declared = checker.typeOfTypeExpression(type);
    return declared.kind === "error" ? declared : narrow(checker, value, declared, plainAssignment(checker));
  }
  if (isNamespace(valueType)) {
    return checker.fail(checks.namespaceInVariable(value, valueType));
  }
  return valueType;
}

/** Of the language, or what an extension's name stands for. */
function isNamespace(type: Type): boolean {
  return type.kind === "namespace" || (type.kind === "object" && (type.flags & TypeFlags.PreventAssignment) !== 0);
}

function typeOfResource(checker: Checker, symbol: ResourceSymbol): Type {
  const { body } = symbol.declaration;
  const declared = checker.declaredTypeOf(symbol.declaration);
  return declared === undefined ? silentError : narrow(checker, body, declared, resourceAssignment(checker));
}

function typeOfModule(checker: Checker, symbol: ModuleSymbol | TestSymbol): Type {
  const { declaration } = symbol;
  const body = declaration.kind === "ModuleDeclaration" ? declaration.body : declaration.value;
  const declared = checker.declaredTypeOf(declaration);
  return declared === undefined ? silentError : narrow(checker, body, declared, plainAssignment(checker));
}

/** The parameters that the extended file assigns, as an object. */
function typeOfBase(checker: Checker): Type {
  const base = checker.baseTemplate;
  if (base === undefined) {
    return anyType;
  }
  return objectOf(Array.from(base.parameters.values(), ({ name, type }) => propertyOf(name, type)));
}

// ---------------------------------------------------------------------------------------------------- locals

function typeOfLocal(checker: Checker, symbol: LocalSymbol): Type {
  const { owner } = symbol;
  switch (owner.kind) {
    case "ForExpression":
      return symbol.role === "item" ? itemOf(checker, owner) : indexOf(checker, owner);
    case "Lambda":
      return typeOfLambdaParameter(checker, owner, symbol.position);
    case "TypedLambda": {
      const { declaration } = symbol;
      return declaration.kind === "TypedParameter" && declaration.type.kind !== "Skipped"
        ? checker.quietly(() => checker.typeOfTypeExpression(declaration.type))
        : anyType;
    }
    default:
      return owner satisfies never;
  }
}

function itemOf(checker: Checker, loop: ForExpression): Type {
  const array = loopedArray(checker, loop);
  return array?.kind === "array" || array?.kind === "tuple" ? array.item : anyType;
}

// As many items as a deployment can loop over.
const maxLoopItems = 800n;

function indexOf(checker: Checker, loop: ForExpression): Type {
  const array = loopedArray(checker, loop);
  const max = array === undefined ? undefined : lengthsOf(array)?.max;
  return intOf(0n, max === undefined || max === 0 ? maxLoopItems : BigInt(max) - 1n);
}

function loopedArray(checker: Checker, loop: ForExpression): Type | undefined {
  const type = checker.typeOf(loop.source);
  return collapse(withoutNull(type) ?? type);
}

// ---------------------------------------------------------------------------------------------------- functions

/** The signature of a declared function; nothing when a part of it has errors. */
export function signatureOfFunction(checker: Checker, symbol: FunctionSymbol): FunctionOverload | undefined {
  const { lambda } = symbol.declaration;
  if (lambda.kind === "Skipped") {
    return undefined;
  }
  const types = lambda.parameters.parameters.map((item) =>
    checker.quietly(() => checker.typeOfTypeExpression(item.type)),
  );
  const returns = checker.typeOfTypeExpression(lambda.returnType);
  if (returns.kind === "error" || types.some((type) => type.kind === "error")) {
    return undefined;
  }
  const parameters = lambda.parameters.parameters.map((item, index) =>
    parameter(item.name.name, types[index] ?? anyType),
  );
  return overload(symbol.name, { parameters, returns });
}
