import type { Span } from "../diagnostic.ts";
import { parameterTypeAt, resolveOverload, templateFold } from "../functions/index.ts";
import type { OverloadResolution } from "../functions/index.ts";
import { nameDiagnostics } from "../semantics/index.ts";
import type { BicepSymbol, FunctionSymbol, ImportedSymbol } from "../semantics/index.ts";
import type { Expression, FunctionCall, InstanceFunctionCall, Lambda, Node } from "../syntax/index.ts";
import {
  anyType,
  FunctionFlags,
  hasFlag,
  silentError,
  suggestSpelling,
  TypeFlags,
  unreadable,
} from "../types/index.ts";
import type { CallHost, CallProblem, FunctionOverload, NamespaceType, Type } from "../types/index.ts";
import { missingDeployment } from "./access.ts";
import type { Checker } from "./checker.ts";
import { checkConstant } from "./constants.ts";
import { checks } from "./diagnostics.ts";
import { cycleError } from "./names.ts";
import { narrow, plainAssignment } from "./narrow.ts";

type AnyCall = FunctionCall | InstanceFunctionCall;

/** What a call can mean: overloads, and whose they are. */
interface Callee {
  readonly overloads: readonly FunctionOverload[];
  readonly symbol?: FunctionSymbol | ImportedSymbol;
  readonly namespace?: NamespaceType;
}

/** The type of a call; what is wrong with its arguments is reported. */
export function typeOfCall(checker: Checker, node: AnyCall): Type {
  const callee = calleeOf(checker, node);
  const argumentTypes: Type[] = [];
  let hasInvalidArgument = false;
  for (const argument of node.args) {
    const type = checker.typeOf(argument.expression);
    hasInvalidArgument ||= type.kind === "error" && type !== unreadable;
    argumentTypes.push(type.kind === "error" ? anyType : type);
  }
  if (callee === undefined) {
    return silentError;
  }
  const resolution = resolveOverload(callee.overloads, argumentTypes);
  switch (resolution.kind) {
    case "ambiguous":
      return hasInvalidArgument ? silentError : anyType;
    case "match":
      return typeOfMatch(checker, node, callee, resolution, hasInvalidArgument);
    default:
      return reportMismatch(checker, node, callee, resolution);
  }
}

/** The type that a lambda's parameters have, from the function that the lambda is passed to. */
export function typeOfLambdaParameter(checker: Checker, lambda: Lambda, position: number): Type {
  let argument: Node = lambda;
  let parent = checker.parentOf(lambda);
  while (parent?.kind === "ParenthesizedExpression") {
    argument = parent;
    parent = checker.parentOf(parent);
  }
  const call = parent?.kind === "FunctionArgument" ? checker.parentOf(parent) : undefined;
  if (call?.kind !== "FunctionCall" && call?.kind !== "InstanceFunctionCall") {
    return anyType;
  }
  const index = call.args.findIndex((item) => item.expression === argument);
  const types = call.args.map(({ expression }) => {
    const type = isLambda(expression) ? anyType : checker.typeOf(expression);
    return type.kind === "error" ? anyType : type;
  });
  for (const overload of candidatesOf(checker, call)) {
    const expected = parameterTypeAt(overload, index, types);
    if (expected?.kind === "lambda") {
      return [...expected.parameters, ...expected.optionalParameters][position] ?? anyType;
    }
  }
  return anyType;
}

function isLambda(node: Expression): boolean {
  return node.kind === "Lambda" || (node.kind === "ParenthesizedExpression" && isLambda(node.expression));
}

/** The overloads of a built-in function, without any report. */
function candidatesOf(checker: Checker, node: AnyCall): readonly FunctionOverload[] {
  const symbol = checker.symbolOf(node);
  return symbol?.kind === "builtInFunction" ? overloadsOf(symbol, checker, node) : [];
}

function overloadsOf(
  symbol: Extract<BicepSymbol, { kind: "builtInFunction" }>,
  checker: Checker,
  node: AnyCall,
): readonly FunctionOverload[] {
  const isDecorator = symbol.decorator !== undefined && checker.parentOf(node)?.kind === "Decorator";
  return isDecorator ? symbol.decorator.overloads : symbol.overloads;
}

// ---------------------------------------------------------------------------------------------------- who is called

function calleeOf(checker: Checker, node: AnyCall): Callee | undefined {
  const symbol = checker.symbolOf(node);
  if (symbol === undefined) {
    return node.kind === "InstanceFunctionCall" ? methodOf(checker, node) : undefined;
  }
  if (node.kind === "InstanceFunctionCall") {
    checker.typeOf(node.target);
  }
  switch (symbol.kind) {
    case "error":
      if (symbol.diagnostic !== undefined) {
        checker.report(symbol.diagnostic);
      }
      return undefined;
    case "builtInFunction":
      return { overloads: overloadsOf(symbol, checker, node), namespace: symbol.namespace };
    case "function":
      return declaredFunction(checker, node, symbol);
    case "imported": {
      const exported = checker.importOf(symbol)?.exported;
      if (exported?.kind === "function") {
        return { overloads: [exported.overload], symbol };
      }
      checker.report(nameDiagnostics.notAFunction(node.name, symbol.name));
      return undefined;
    }
    default:
      checker.report(nameDiagnostics.notAFunction(node.name, symbol.name));
      return undefined;
  }
}

function declaredFunction(checker: Checker, node: AnyCall, symbol: FunctionSymbol): Callee | undefined {
  if (cycleError(checker, symbol, node) !== undefined) {
    return undefined;
  }
  const signature = checker.signatureOf(symbol);
  if (signature === undefined) {
    checker.report(checks.invalidReference(node.name, symbol.name));
    return undefined;
  }
  return { overloads: [signature], symbol };
}

function methodOf(checker: Checker, node: InstanceFunctionCall): Callee | undefined {
  const { name } = node.name;
  const target = checker.symbolOf(node.target);
  const type = checker.typeOf(node.target);
  if (target?.kind === "wildcard") {
    return importedMember(checker, node, type);
  }
  if (type.kind === "error") {
    return undefined;
  }
  const base = type.kind === "resource" || type.kind === "module" ? type.body : type;
  if (base.kind === "namespace") {
    return { overloads: base.functions.overloads(name), namespace: base };
  }
  if (base.kind !== "object") {
    checker.report(checks.noMethods(node.name, type));
    return undefined;
  }
  const overloads = base.methods?.overloads(name) ?? [];
  if (overloads.length === 0) {
    const meant = suggestSpelling(name, base.methods?.names ?? []);
    checker.report(
      meant === undefined
        ? checks.unknownMethod(node.name, name, type)
        : checks.misspelledMethod(node.name, name, type, meant),
    );
    return undefined;
  }
  const missing = missingDeployment(checker, node.target);
  if (missing !== undefined) {
    checker.report(checks.functionMayFail(node.name, missing.name));
  }
  return { overloads };
}

function importedMember(checker: Checker, node: InstanceFunctionCall, type: Type): Callee | undefined {
  const target = checker.symbolOf(node.target);
  const source = target?.kind === "wildcard" ? checker.wildcardOf(target) : undefined;
  if (source === undefined) {
    return undefined;
  }
  const exported = source.exports.get(node.name.name);
  if (exported?.kind === "function") {
    return { overloads: [exported.overload] };
  }
  const known = Array.from(source.exports.values(), (item) => (item.kind === "function" ? item.name : ""));
  const meant = suggestSpelling(
    node.name.name,
    known.filter((name) => name !== ""),
  );
  const namespace = type.kind === "namespace" ? type.name : "import";
  checker.report(
    meant === undefined
      ? nameDiagnostics.unknownMember(node.name, namespace, node.name.name)
      : nameDiagnostics.unknownMemberMeant(node.name, namespace, node.name.name, meant),
  );
  return undefined;
}

// ---------------------------------------------------------------------------------------------------- a match

function typeOfMatch(
  checker: Checker,
  node: AnyCall,
  callee: Callee,
  match: Extract<OverloadResolution, { kind: "match" }>,
  hasInvalidArgument: boolean,
): Type {
  const { overload, argumentTypes } = match;
  if (hasInvalidArgument) {
    checker.recordCall(node, { overload, type: silentError, symbol: callee.symbol, namespace: callee.namespace });
    return silentError;
  }
  checkPlace(checker, node, overload);
  const assignment = plainAssignment(checker);
  let isValid = true;
  for (let index = 0; index < node.args.length; index += 1) {
    const expression = node.args[index]?.expression;
    if (expression === undefined) {
      continue;
    }
    if (overload.parameters[index]?.constant === true) {
      isValid = checkConstant(checker, expression) && isValid;
    }
    const expected = parameterTypeAt(overload, index, argumentTypes);
    if (expected !== undefined) {
      narrow(checker, expression, expected, assignment);
    }
  }
  const type = isValid ? resultOf(checker, node, overload, argumentTypes) : silentError;
  checker.recordCall(node, { overload, type, symbol: callee.symbol, namespace: callee.namespace });
  return type;
}

function resultOf(checker: Checker, node: AnyCall, overload: FunctionOverload, argumentTypes: readonly Type[]): Type {
  if (overload.result === undefined) {
    return overload.returns;
  }
  const argumentNodes = node.args.map((argument) => argument.expression);
  const result = overload.result({ argumentTypes, argumentNodes, host: callHost(checker) });
  for (const problem of result.problems) {
    checker.report(checks.placed(placeOf(node, problem.argument), problem));
  }
  return result.type;
}

function placeOf(node: AnyCall, argument: CallProblem["argument"]): Span {
  const first = node.args[0];
  const last = node.args.at(-1);
  if (argument === "call" || first === undefined || last === undefined) {
    return node;
  }
  return argument === "all" ? { start: first.start, end: last.end } : (node.args[argument] ?? node);
}

const callHosts = new WeakMap<Checker, CallHost>();

function callHost(checker: Checker): CallHost {
  let host = callHosts.get(checker);
  if (host === undefined) {
    host = makeCallHost(checker);
    callHosts.set(checker, host);
  }
  return host;
}

function makeCallHost(checker: Checker): CallHost {
  return {
    fold: templateFold,
    files: checker.environment.fileLoader(checker.file),
    nameOf: (node) => nameOf(checker, node),
    environmentVariable: (name) => checker.environment.environmentVariable(name),
  };
}

/** The last name in an expression that is nothing but names. */
function nameOf(checker: Checker, node: Expression): string | undefined {
  switch (node.kind) {
    case "VariableAccess":
    case "PropertyAccess":
    case "ResourceAccess":
      return node.name.name;
    case "ArrayAccess": {
      const index = checker.typeOf(node.index);
      return index.kind === "stringLiteral" ? index.value : undefined;
    }
    default:
      return undefined;
  }
}

function reportMismatch(
  checker: Checker,
  node: AnyCall,
  { overloads }: Callee,
  resolution: Exclude<OverloadResolution, { kind: "match" | "ambiguous" }>,
): Type {
  switch (resolution.kind) {
    case "noOverload":
      return checker.fail(
        checks.noOverload(placeOf(node, resolution.argument), resolution.expected, resolution.actual),
      );
    case "wrongType":
      return checker.fail(
        checks.argumentType(placeOf(node, resolution.argument), resolution.expected, resolution.actual),
      );
    case "wrongCount": {
      const parentheses = { start: node.open.start, end: node.end };
      const { minimum, maximum, actual } = resolution;
      return checker.fail(
        checks.argumentCount(parentheses, signatureText(node.name.name, overloads), minimum, maximum, actual),
      );
    }
    default:
      return resolution satisfies never;
  }
}

/** `split(text, delimiter)`; only the name where there are several forms. */
function signatureText(name: string, overloads: readonly FunctionOverload[]): string {
  const [only] = overloads;
  if (overloads.length !== 1 || only === undefined) {
    return `"${name}"`;
  }
  const names = only.parameters.map((parameter) => `${parameter.name}${parameter.optional ? "?" : ""}`);
  return `${name}(${[...names, ...(only.variadic === undefined ? [] : ["…"])].join(", ")})`;
}

// ---------------------------------------------------------------------------------------------------- where it stands

function checkPlace(checker: Checker, node: AnyCall, overload: FunctionOverload): void {
  const { flags, name } = overload;
  if ((flags & FunctionFlags.Deprecated) !== 0) {
    checker.report(checks.deprecatedProviders(node.name));
  }
  if ((flags & FunctionFlags.SecureModuleParameterOnly) !== 0 && !isSecureModuleParameter(checker, node)) {
    checker.report(checks.misplacedSecret(node, name));
  }
  if ((flags & FunctionFlags.DirectAssignmentOnly) !== 0 && !isAssignedValue(checker, node)) {
    checker.report(checks.misplacedDirect(node, name));
  }
}

/** The node that holds the value, when the call is the whole value or a branch of it. */
function placeAround(checker: Checker, node: Node): Node | undefined {
  let child = node;
  let parent = checker.parentOf(node);
  while (parent?.kind === "TernaryOperation" && parent.condition !== child) {
    child = parent;
    parent = checker.parentOf(parent);
  }
  return parent;
}

/** Whether a call is what a parameters file assigns to a parameter, or to a member of an extension's configuration. */
function isAssignedValue(checker: Checker, node: Node): boolean {
  const place = placeAround(checker, node);
  if (place?.kind !== "ObjectProperty") {
    return place?.kind === "ParameterAssignment";
  }
  const object = checker.parentOf(place);
  return object !== undefined && checker.parentOf(object)?.kind === "WithClause";
}

function isSecureModuleParameter(checker: Checker, node: Node): boolean {
  const property = placeAround(checker, node);
  if (property?.kind !== "ObjectProperty") {
    return false;
  }
  const declared = checker.declaredPropertyOf(property);
  return declared !== undefined && hasFlag(declared.type, TypeFlags.Secure) && isModuleInput(checker, property);
}

function isModuleInput(checker: Checker, property: Node): boolean {
  let at: Node | undefined = property;
  while (at !== undefined && at.kind !== "ModuleDeclaration") {
    if (at.kind === "ResourceDeclaration" || at.kind === "VariableDeclaration" || at.kind === "OutputDeclaration") {
      return false;
    }
    at = checker.parentOf(at);
  }
  return at !== undefined;
}
