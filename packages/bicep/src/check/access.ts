import type { Diagnostic, DiagnosticLevel, DiagnosticSink, Span } from "../diagnostic.ts";
import { nameDiagnostics } from "../semantics/index.ts";
import type { ModuleSymbol, ResourceSymbol, WildcardSymbol } from "../semantics/index.ts";
import { nodeText } from "../syntax/index.ts";
import type { ArrayAccess, Expression, Identifier, Node, PropertyAccess, ResourceAccess } from "../syntax/index.ts";
import {
  anyType,
  collapse,
  intType,
  isAssignable,
  lookupProperty,
  nullable,
  nullType,
  silentError,
  stringType,
  suggestSpelling,
  unionOf,
  unreadable,
  withoutNull,
} from "../types/index.ts";
import type { ObjectType, TupleType, Type } from "../types/index.ts";
import type { AccessChain, Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";
import { typeOfReference } from "./names.ts";

type Access = PropertyAccess | ArrayAccess;

/** The type of `a.b` or `a[b]`. */
export function typeOfAccess(checker: Checker, node: Access): Type {
  const { type, mayBeNull } = chainOf(checker, node);
  return mayBeNull && type.kind !== "error" ? nullable(type) : type;
}

/** The type of `a::b`. */
export function typeOfResourceAccess(checker: Checker, node: ResourceAccess): Type {
  const target = checker.typeOf(node.target);
  const symbol = checker.symbolOf(node);
  if (symbol?.kind === "resource") {
    return target.kind === "error" ? silentError : typeOfReference(checker, symbol, node.name);
  }
  if (target.kind === "error" || symbol?.kind !== "error" || symbol.diagnostic === undefined) {
    return silentError;
  }
  return checker.fail(symbol.diagnostic);
}

/** The resource or module that an expression names directly, or an item of the collection that it names. */
function namedDeployment(
  checker: Checker,
  node: Expression,
): { readonly symbol: ResourceSymbol | ModuleSymbol; readonly isItem: boolean } | undefined {
  const isItem = node.kind === "ArrayAccess";
  const reference = isItem ? node.target : node;
  if (reference.kind !== "VariableAccess" && reference.kind !== "ResourceAccess") {
    return undefined;
  }
  const symbol = checker.symbolOf(reference);
  return symbol?.kind === "resource" || symbol?.kind === "module" ? { symbol, isItem } : undefined;
}

/** What deployment an access may find missing: a condition can turn it off. */
export function missingDeployment(checker: Checker, node: Expression): ResourceSymbol | ModuleSymbol | undefined {
  const named = namedDeployment(checker, node);
  if (named === undefined) {
    return undefined;
  }
  const { symbol, isItem } = named;
  const isLoop = symbol.declaration.body.kind === "ForExpression";
  if (isLoop !== isItem || !checker.mayBeDisabled(symbol) || isWithin(checker, node, symbol.declaration)) {
    return undefined;
  }
  return symbol;
}

function isWithin(checker: Checker, node: Node, ancestor: Node): boolean {
  for (let at: Node | undefined = node; at !== undefined; at = checker.parentOf(at)) {
    if (at === ancestor) {
      return true;
    }
  }
  return false;
}

/**
 * A chain such as `a.?b.c` is null as a whole when `b` is missing: links after a safe one see the type without null,
 * and null is added back at the end.
 */
function chainOf(checker: Checker, node: Access): AccessChain {
  const known = checker.accessChains.get(node);
  if (known !== undefined) {
    return known;
  }
  const chain = followLink(checker, node);
  checker.accessChains.set(node, chain);
  return chain;
}

function followLink(checker: Checker, node: Access): AccessChain {
  const { target } = node;
  const isSafe = node.safe !== undefined;
  let base: Type;
  let mayBeNull = false;
  if (!isSafe && (target.kind === "PropertyAccess" || target.kind === "ArrayAccess")) {
    checker.typeOf(target);
    ({ type: base, mayBeNull } = chainOf(checker, target));
  } else {
    base = checker.typeOf(target);
  }
  const index = node.kind === "ArrayAccess" ? checker.typeOf(node.index) : undefined;
  if (base.kind === "error" || index?.kind === "error") {
    return { type: base === unreadable ? unreadable : silentError, mayBeNull: false };
  }
  if (isSafe && base.kind === "null") {
    return { type: nullType, mayBeNull: false };
  }
  const nonNull = withoutNull(base);
  const missing = missingDeployment(checker, target);
  if (nonNull !== undefined || (missing !== undefined && !isAlwaysKnown(checker, node, missing))) {
    if (isSafe) {
      mayBeNull = true;
    } else {
      const name = missing === undefined ? "The value" : `"${missing.name}"`;
      checker.report(checks.possiblyNull(linkSpan(node), name, nullFixes(checker, node)));
    }
  }
  const inner = unwrap(nonNull ?? base);
  const type =
    node.kind === "PropertyAccess"
      ? typeOfProperty(checker, node, inner)
      : typeOfItem(checker, node, inner, index ?? anyType);
  const found = isSafe ? withoutNull(type) : undefined;
  return found === undefined ? { type, mayBeNull } : { type: found, mayBeNull: true };
}

/** The identity of an Azure resource does not depend on whether it is deployed; extensions answer at run time. */
function isAlwaysKnown(checker: Checker, node: Access, symbol: ResourceSymbol | ModuleSymbol): boolean {
  if (node.kind !== "PropertyAccess") {
    return false;
  }
  const { name } = node.name;
  if (symbol.kind === "module") {
    return name === "name";
  }
  if (!checker.resourceOf(symbol).isAzure) {
    return false;
  }
  return name === "id" || name === "name" || name === "type" || name === "apiVersion";
}

function linkSpan(node: Access): Span {
  return node.kind === "PropertyAccess"
    ? { start: node.dot.start, end: node.name.end }
    : { start: node.open.start, end: node.close.end };
}

/** Longer ones, and those of several lines, would make the message harder to read than the code. */
const longestQuotedAccess = 60;

/** How an access is written that may find null: one that gives null in turn, and one that says it is never null. */
function nullFixes(checker: Checker, node: Access): { readonly safe: string; readonly asserted: string } | undefined {
  const { syntax } = checker.file;
  const whole = nodeText(syntax, node);
  if (whole.length > longestQuotedAccess || whole.includes("\n") || !isWrittenOut(node)) {
    return undefined;
  }
  const target = nodeText(syntax, node.target);
  const link = whole.slice(target.length);
  return {
    safe: `${target}${node.kind === "PropertyAccess" ? ".?" : "[?"}${link.slice(1)}`,
    asserted: `${target}!${link}`,
  };
}

function isWrittenOut(node: Access): boolean {
  return node.kind === "ArrayAccess" || isWritten(node.name);
}

/** Resources and modules are used through their bodies. */
function unwrap(type: Type): Type {
  return type.kind === "resource" || type.kind === "module" || type.kind === "test" ? type.body : type;
}

// ---------------------------------------------------------------------------------------------------- a.b

function typeOfProperty(checker: Checker, node: PropertyAccess, base: Type): Type {
  const { name } = node;
  const symbol = checker.symbolOf(node.target);
  if (symbol?.kind === "wildcard") {
    return typeOfImported(checker, symbol, name);
  }
  switch (base.kind) {
    case "any":
    case "discriminated":
    case "never":
      return anyType;
    case "object":
      return isWritten(name) ? readProperty(checker, base, name.name, name, node.safe !== undefined) : silentError;
    case "union": {
      const collapsed = collapse(base);
      return collapsed?.kind === "object" && isWritten(name)
        ? readProperty(checker, collapsed, name.name, name, node.safe !== undefined)
        : anyType;
    }
    case "namespace": {
      if (!isWritten(name)) {
        return silentError;
      }
      const known = Array.from(base.types.keys());
      return base.types.has(name.name)
        ? checker.fail(nameDiagnostics.typeAsValue(name, name.name))
        : unknownMember(checker, base, name, known);
    }
    default:
      return checker.fail(collectionProblem(checker, node) ?? checks.notAnObject(name, base));
  }
}

/** That a loop of resources or modules was meant to have an index. */
function collectionProblem(checker: Checker, { target, name }: PropertyAccess): Diagnostic | undefined {
  const named = namedDeployment(checker, target);
  const isCollection = named?.isItem === false && named.symbol.declaration.body.kind === "ForExpression";
  return isCollection && isWritten(name)
    ? checks.collectionAsObject(name, named.symbol.name, named.symbol.kind, name.name)
    : undefined;
}

function typeOfImported(checker: Checker, symbol: WildcardSymbol, name: Identifier): Type {
  const source = checker.wildcardOf(symbol);
  if (source === undefined || !isWritten(name)) {
    return silentError;
  }
  const exported = source.exports.get(name.name);
  if (exported?.kind === "variable") {
    return exported.type;
  }
  if (exported?.kind === "type") {
    return checker.fail(nameDiagnostics.typeAsValue(name, name.name));
  }
  if (exported?.kind === "function") {
    return checker.fail(nameDiagnostics.notAValue(name, name.name));
  }
  const known = Array.from(source.exports.values(), (item) => (item.kind === "variable" ? item.name : ""));
  return unknownMember(
    checker,
    checker.typeOfSymbol(symbol),
    name,
    known.filter((item) => item !== ""),
  );
}

function unknownMember(checker: Checker, type: Type, name: Identifier, known: readonly string[]): Type {
  const meant = suggestSpelling(name.name, known);
  if (meant !== undefined) {
    return checker.fail(checks.misspelledProperty("error", name, name.name, type, meant));
  }
  return checker.fail(
    known.length === 0
      ? checks.noSuchProperty("error", name, name.name, type)
      : checks.unknownProperty("error", name, name.name, type, known),
  );
}

function readProperty(sink: DiagnosticSink, type: ObjectType, name: string, span: Span, isSafe: boolean): Type {
  const found = lookupProperty(type, name);
  if (found.found) {
    if (found.complaint === "BCP077") {
      sink.report(checks.writeOnly(span, name, type));
      return unreadable;
    }
    if (found.complaint === "BCP187") {
      sink.report(checks.fallbackRead(isSafe ? "info" : "warning", span, name, type));
    }
    return found.type;
  }
  const level: DiagnosticLevel = isSafe || found.lenient ? "warning" : "error";
  if (found.suggestion !== undefined) {
    sink.report(checks.misspelledProperty(level, span, name, type, found.suggestion));
  } else if (found.code === "BCP052") {
    sink.report(checks.noSuchProperty(level, span, name, type));
  } else {
    sink.report(checks.unknownProperty(level, span, name, type, found.available));
  }
  return level === "error" ? unreadable : anyType;
}

function isWritten(name: Identifier): boolean {
  return name.token.kind !== "Skipped";
}

// ---------------------------------------------------------------------------------------------------- a[b]

function typeOfItem(checker: Checker, node: ArrayAccess, base: Type, index: Type): Type {
  const nonNull = withoutNull(index);
  if (nonNull !== undefined) {
    checker.report(checks.nullableValue(node.index, nonNull, index));
  }
  return itemOf(checker, node, base, nonNull ?? index);
}

function itemOf(sink: DiagnosticSink, node: ArrayAccess, base: Type, index: Type): Type {
  const isSafe = node.safe !== undefined;
  const level: DiagnosticLevel = isSafe ? "warning" : "error";
  const wrong = (diagnostic: Diagnostic): Type => {
    sink.report(diagnostic);
    return isSafe ? nullType : silentError;
  };
  const isNumber = isAssignable(index, intType);
  const isText = isAssignable(index, stringType);
  if (node.fromEnd !== undefined) {
    if (base.kind === "object" || base.kind === "discriminated") {
      return wrong(checks.fromEndOnObject(level, node.fromEnd, base));
    }
    if (!isNumber && isText) {
      return wrong(checks.fromEndWithString(level, node.fromEnd, index));
    }
  }
  switch (base.kind) {
    case "any":
    case "never":
      return isNumber || isText ? anyType : wrong(checks.indexOfAny(level, node.index, index));
    case "object":
      if (!isText) {
        return wrong(checks.objectIndex(level, node.index, index));
      }
      if (index.kind === "stringLiteral") {
        return readProperty(sink, base, index.value, node.index, isSafe);
      }
      return base.properties.size > 0 || base.additional !== undefined
        ? anyType
        : wrong(checks.noProperties(node.index, base));
    case "discriminated":
      return isText ? anyType : wrong(checks.objectIndex(level, node.index, index));
    case "tuple":
      return isNumber ? tupleItem(sink, node, base, index) : wrong(checks.arrayIndex(level, node.index, index));
    case "array":
      if (!isNumber) {
        return wrong(checks.arrayIndex(level, node.index, index));
      }
      return index.kind === "intLiteral" && index.value < 0n ? wrong(checks.negativeIndex(node.index)) : base.item;
    case "union":
      return itemOfUnion(node, base.members, index) ?? wrong(checks.notIndexable(level, node.target, base));
    default:
      return wrong(checks.notIndexable(level, node.target, base));
  }
}

/** Known places of a tuple; anything else may be each of its items. */
function tupleItem(sink: DiagnosticSink, node: ArrayAccess, base: TupleType, index: Type): Type {
  const places = index.kind === "union" ? index.members : [index];
  const types: Type[] = [];
  for (const place of places) {
    if (place.kind !== "intLiteral") {
      return base.item;
    }
    const at = node.fromEnd === undefined ? place.value : BigInt(base.items.length) - place.value;
    const item = at < 0n ? undefined : base.items[Number(at)];
    if (item === undefined) {
      sink.report(checks.tupleIndex(node.index, base, base.items.length));
      return silentError;
    }
    types.push(item);
  }
  return unionOf(types);
}

/** The item of whichever member it is; nothing when one of them has no such items. */
function itemOfUnion(node: ArrayAccess, members: readonly Type[], index: Type): Type | undefined {
  let failed = false;
  const probe: DiagnosticSink = {
    report: () => {
      failed = true;
    },
  };
  const types = members.map((member) => itemOf(probe, node, unwrap(member), index));
  return failed ? undefined : unionOf(types);
}
