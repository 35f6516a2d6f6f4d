import type { Diagnostic, Span } from "../diagnostic.ts";
import { isDeclared, nameDiagnostics } from "../semantics/index.ts";
import type { BicepSymbol, DeclaredSymbol, ExtensionSymbol } from "../semantics/index.ts";
import type { Node, VariableAccess } from "../syntax/index.ts";
import {
  functionTable,
  isAssignable,
  namespaceOf,
  objectOf,
  propertyOf,
  quote,
  silentError,
  stringLiteral,
  suggestSpelling,
  TypeFlags,
} from "../types/index.ts";
import type { ErrorType, Type } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";

/** The type of what a bare name stands for. */
export function typeOfName(checker: Checker, node: VariableAccess): Type {
  const symbol = checker.symbolOf(node);
  if (symbol === undefined) {
    return silentError;
  }
  const { name } = node;
  switch (symbol.kind) {
    case "error":
      return symbol.diagnostic === undefined ? silentError : failWithAdvice(checker, node, symbol.diagnostic);
    case "parameter":
    case "variable":
    case "resource":
    case "module":
    case "parameterAssignment":
    case "test":
    case "local":
      return typeOfReference(checker, symbol, name);
    case "imported": {
      const exported = checker.importOf(symbol)?.exported;
      if (exported?.kind === "type") {
        return checker.fail(nameDiagnostics.typeAsValue(name, symbol.name));
      }
      return exported?.kind === "variable" ? exported.type : checker.fail(nameDiagnostics.notAValue(name, symbol.name));
    }
    case "type":
    case "ambientType":
      return checker.fail(nameDiagnostics.typeAsValue(name, symbol.name));
    case "namespace":
      return symbol.type;
    case "extension":
      return typeOfExtension(checker, symbol, node);
    case "wildcard":
      return typeOfWildcard(symbol.name);
    case "baseParameters":
      return checker.typeOfSymbol(symbol);
    case "function":
    case "builtInFunction":
    case "output":
    case "metadata":
    case "assert":
    case "extensionConfiguration":
      return checker.fail(nameDiagnostics.notAValue(name, symbol.name));
    default:
      return symbol satisfies never;
  }
}

/** Names for which the expected type is being looked up, which may ask for the type of the name itself. */
const explained = new WeakSet<VariableAccess>();

/** So many names are compared with each unknown one; a hostile file may have thousands of both. */
const mostCompared = 500;

/** An unknown name may be one of the file's, misspelt, or a text that lost its quotes. */
function failWithAdvice(checker: Checker, node: VariableAccess, diagnostic: Diagnostic): ErrorType {
  if (explained.has(node)) {
    return silentError;
  }
  if (diagnostic.code !== "BCP057") {
    return checker.fail(diagnostic);
  }
  explained.add(node);
  const { name } = node.name;
  const known = checker.declarations.all.slice(0, mostCompared).filter(isValue);
  const meant = suggestSpelling(
    name,
    known.map((symbol) => symbol.name),
  );
  const expected = meant === undefined ? checker.declaredTypeOf(node) : undefined;
  const takesText = expected !== undefined && expected.kind !== "any" && isAssignable(stringLiteral(name), expected);
  explained.delete(node);
  const text = takesText ? quote(name) : undefined;
  const advice = meant === undefined ? text : `"${meant}"`;
  return checker.fail(
    nameDiagnostics.unknownName(diagnostic.span, name, advice === undefined ? "" : ` Did you mean ${advice}?`),
  );
}

function isValue({ kind }: DeclaredSymbol): boolean {
  return kind === "parameter" || kind === "variable" || kind === "resource" || kind === "module";
}

/** The type of a symbol where it is used: cycles and invalid declarations are reported on the use. */
export function typeOfReference(checker: Checker, symbol: BicepSymbol, span: Span & Node): Type {
  const cycle = cycleError(checker, symbol, span);
  if (cycle !== undefined) {
    return cycle;
  }
  const type = checker.typeOfSymbol(symbol);
  return type.kind === "error" ? checker.fail(checks.invalidReference(span, symbol.name)) : type;
}

/** What to say about a use of something that depends on itself; asked before its type, which would never end. */
export function cycleError(checker: Checker, symbol: BicepSymbol, use: Node): ErrorType | undefined {
  const cycle = checker.cycleOf(symbol);
  if (cycle === undefined) {
    return undefined;
  }
  const user = enclosingDeclaration(checker, use);
  if (user === undefined || !(checker.cycleOf(user) === cycle || cycle.includes(user))) {
    return checker.fail(checks.invalidReference(use, symbol.name));
  }
  return checker.fail(cycle.length === 1 ? checks.selfReference(use) : checks.cycle(use, cycle));
}

/** The innermost declaration that a node is a part of. */
function enclosingDeclaration(checker: Checker, node: Node): DeclaredSymbol | undefined {
  for (let at: Node | undefined = node; at !== undefined; at = checker.parentOf(at)) {
    if (at.kind === "VariableAccess" || at.kind === "FunctionCall") {
      continue;
    }
    const symbol = checker.symbolOf(at);
    if (symbol !== undefined && isDeclared(symbol) && symbol.declaration === at) {
      return symbol;
    }
  }
  return undefined;
}

/**
 * An extension may be called, and its configuration may be passed on to a module; it is no value. Its type is an object
 * that holds the configuration and cannot be assigned to anything.
 */
function typeOfExtension(checker: Checker, symbol: ExtensionSymbol, node: VariableAccess): Type {
  const parent = checker.parentOf(node);
  const isCallee = parent?.kind === "InstanceFunctionCall" && parent.target === node;
  if (!isCallee && !isInExtensionConfigs(checker, node)) {
    checker.report(checks.extensionAsValue(node, symbol.name));
  }
  const namespace = checker.extensionOf(symbol);
  if (namespace === undefined) {
    return silentError;
  }
  const properties = namespace.configuration === undefined ? [] : [propertyOf("config", namespace.configuration)];
  return objectOf(properties, { name: symbol.name, flags: TypeFlags.PreventAssignment });
}

function isInExtensionConfigs(checker: Checker, node: Node): boolean {
  for (let at: Node | undefined = node; at !== undefined; at = checker.parentOf(at)) {
    if (at.kind === "ObjectProperty" && at.key.kind === "Identifier" && at.key.name === "extensionConfigs") {
      return true;
    }
  }
  return false;
}

/** An import of everything is only good for its members. */
function typeOfWildcard(name: string): Type {
  return namespaceOf(name, { functions: functionTable([]), decorators: new Map(), types: new Map() });
}
