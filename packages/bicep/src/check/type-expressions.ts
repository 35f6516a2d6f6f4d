import type { Span } from "../diagnostic.ts";
import { resourceDerivedTypes } from "../functions/index.ts";
import { nameDiagnostics } from "../semantics/index.ts";
import type { TypeSymbol } from "../semantics/index.ts";
import { literalText } from "../syntax/index.ts";
import type {
  InstanceTypeInstantiation,
  Node,
  ResourceType,
  TypeAdditionalPropertiesAccess,
  TypeArrayAccess,
  TypeExpression,
  TypeInstantiation,
  TypeItemsAccess,
  TypePropertyAccess,
  TypeReference,
} from "../syntax/index.ts";
import {
  anyType,
  arrayOf,
  boolLiteral,
  intLiteral,
  intType,
  lookupProperty,
  maxInt,
  minInt,
  nullable,
  nullType,
  PropertyFlags,
  silentError,
  stringType,
  suggestSpelling,
  withObject,
  withoutNull,
} from "../types/index.ts";
import type { ObjectType, Type, TypeSource } from "../types/index.ts";
import type { Checker } from "./checker.ts";
import { isDeferred, mapSource } from "./deferred.ts";
import { checks } from "./diagnostics.ts";
import { sourceOfObjectType, sourceOfTupleType } from "./object-types.ts";
import { resourceTypeOfText } from "./resource-types.ts";
import { isInside } from "./type-cycles.ts";
import { sourceOfUnion } from "./union-types.ts";

/**
 * What a type expression means. A type that is being worked out already (because it contains itself) is left for
 * later; that is why the result is a source.
 */
export function sourceOfType(checker: Checker, node: TypeExpression): TypeSource {
  switch (node.kind) {
    case "TypeReference":
      return sourceOfReference(checker, node);
    case "TypePropertyAccess":
      return sourceOfMember(checker, node);
    case "TypeAdditionalPropertiesAccess":
    case "TypeArrayAccess":
    case "TypeItemsAccess":
      return sourceOfPart(checker, node);
    case "TypeInstantiation":
    case "InstanceTypeInstantiation":
      return typeOfInstantiation(checker, node);
    case "ResourceType":
      if (!checker.feature("resourceTypedParamsAndOutputs")) {
        return checker.fail(checks.resourceTypeFeature(node));
      }
      return typeOfResourceType(checker, node);
    case "StringTypeLiteral": {
      const type = checker.typeOf(node.value);
      return type.kind === "stringLiteral" || type.kind === "error" ? type : checker.fail(checks.notLiteralType(node));
    }
    case "IntegerTypeLiteral":
      return node.value > maxInt ? intType : intLiteral(node.value);
    case "BooleanTypeLiteral":
      return boolLiteral(node.value);
    case "NullTypeLiteral":
      return checker.parentOf(node)?.kind === "UnionTypeMember" ? nullType : checker.fail(checks.nullAlone(node));
    case "UnaryTypeOperation":
      return typeOfOperation(checker, node);
    case "ObjectType":
      return sourceOfObjectType(checker, node);
    case "TupleType":
      return sourceOfTupleType(checker, node);
    case "ArrayType": {
      const item = checker.sourceOfTypeExpression(node.item);
      return arrayOf(isErrorSource(item) ? anyType : item);
    }
    case "NullableType":
      return mapSource(checker.sourceOfTypeExpression(node.base), (type) =>
        type.kind === "error" ? type : nullable(type),
      );
    case "NonNullableType":
      return mapSource(checker.sourceOfTypeExpression(node.base), (type) => withoutNull(type) ?? type);
    case "UnionType":
      return sourceOfUnion(checker, node);
    case "ParenthesizedType":
      return checker.sourceOfTypeExpression(node.type);
    case "Skipped":
      return silentError;
    default:
      return node satisfies never;
  }
}

/** The declared type that a type expression merely names, if it does; null aside. */
export function aliasOf(checker: Checker, node: TypeExpression): Node | undefined {
  switch (node.kind) {
    case "TypeReference":
      return checker.symbolOf(node)?.kind === "ambientType" ? undefined : node;
    case "TypePropertyAccess": {
      const target = checker.symbolOf(node.target);
      return target?.kind === "namespace" ? undefined : node;
    }
    case "TypeAdditionalPropertiesAccess":
    case "TypeArrayAccess":
    case "TypeItemsAccess":
    case "TypeInstantiation":
    case "InstanceTypeInstantiation":
      return node;
    case "NullableType":
    case "NonNullableType":
      return aliasOf(checker, node.base);
    case "ParenthesizedType":
      return aliasOf(checker, node.type);
    default:
      return undefined;
  }
}

function isErrorSource(source: TypeSource): boolean {
  return !isDeferred(source) && source.kind === "error";
}

// ---------------------------------------------------------------------------------------------------- names

/** `resource 'type@version'`: the id is what is handed over, and only Azure's resources have one. */
function typeOfResourceType(checker: Checker, node: ResourceType): Type {
  const found = node.type?.kind === "StringExpression" ? resourceTypeOfText(checker, node.type) : undefined;
  if (found === undefined) {
    return silentError;
  }
  return found.extension === undefined
    ? found.type
    : checker.fail(checks.extensionTypeHandedOver(node, found.type.reference.type));
}

function sourceOfReference(checker: Checker, node: TypeReference): TypeSource {
  const symbol = checker.symbolOf(node);
  const { name } = node;
  if (symbol === undefined) {
    return silentError;
  }
  switch (symbol.kind) {
    case "error":
      return symbol.diagnostic === undefined ? silentError : checker.fail(symbol.diagnostic);
    case "ambientType":
      return resourceDerivedTypes.has(symbol.name)
        ? checker.fail(checks.typeArgumentsMissing(name, symbol.name))
        : symbol.type;
    case "type":
      return sourceOfDeclared(checker, symbol, node);
    case "imported": {
      const exported = checker.importOf(symbol)?.exported;
      return exported?.kind === "type" ? exported.type : checker.fail(nameDiagnostics.valueAsType(name, symbol.name));
    }
    case "namespace":
    case "extension":
    case "wildcard":
      return checker.fail(nameDiagnostics.namespaceAsType(name, symbol.name));
    case "builtInFunction":
      return checker.fail(nameDiagnostics.unknownType(name, symbol.name, checker.bindings.namespaces.typeNames()));
    default:
      return checker.fail(nameDiagnostics.valueAsType(name, symbol.name));
  }
}

function sourceOfDeclared(checker: Checker, symbol: TypeSymbol, node: TypeReference): TypeSource {
  const cycle = checker.typeCycleOf(symbol);
  const source = cycle === undefined ? checker.sourceOfDeclaredType(symbol) : silentError;
  if (isDeferred(source) || source.kind !== "error") {
    return source;
  }
  if (source.refused !== undefined && isUnionMember(checker, node)) {
    return source; // the union has more to say about it
  }
  const isReported = (cycle !== undefined && isInside(checker, node, cycle)) || isArrayItem(checker, node);
  return isReported ? silentError : checker.fail(checks.invalidReference(node.name, symbol.name));
}

/** Whether a name is, but for parentheses, a member of a union. */
function isUnionMember(checker: Checker, node: Node): boolean {
  const parent = checker.parentOf(node);
  return parent?.kind === "UnionTypeMember" || (parent?.kind === "ParenthesizedType" && isUnionMember(checker, parent));
}

/** Whether a name is all that the items of an array are said to be. */
function isArrayItem(checker: Checker, node: Node): boolean {
  const parent = checker.parentOf(node);
  switch (parent?.kind) {
    case "ArrayType":
      return true;
    case "ParenthesizedType":
    case "NullableType":
    case "NonNullableType":
      return isArrayItem(checker, parent);
    default:
      return false;
  }
}

// ---------------------------------------------------------------------------------------------------- members

function sourceOfMember(checker: Checker, node: TypePropertyAccess): TypeSource {
  const { name } = node;
  if (name.token.kind === "Skipped") {
    return silentError;
  }
  const symbol = node.target.kind === "TypeReference" ? checker.symbolOf(node.target) : undefined;
  if (symbol?.kind === "wildcard") {
    const source = checker.wildcardOf(symbol);
    if (source === undefined) {
      return silentError;
    }
    const exported = source.exports.get(name.name);
    if (exported?.kind === "type") {
      return exported.type;
    }
    const types = Array.from(source.exports.values(), (item) => (item.kind === "type" ? item.name : ""));
    return checker.fail(
      exported === undefined
        ? unknownMember(
            checker.typeOfSymbol(symbol),
            name.name,
            name,
            types.filter((item) => item !== ""),
          )
        : nameDiagnostics.valueAsType(name, name.name),
    );
  }
  const namespace = symbol === undefined ? undefined : checker.namespaceOf(symbol);
  if (namespace !== undefined) {
    const type = namespace.types.get(name.name);
    return type ?? checker.fail(unknownMember(namespace, name.name, name, Array.from(namespace.types.keys())));
  }
  return withBase(checker, node, (base) => {
    if (base.kind === "any") {
      return anyType;
    }
    if (base.kind !== "object") {
      return checker.fail(checks.notAnObject(name, base));
    }
    return propertyType(checker, base, name.name, name);
  });
}

function propertyType(checker: Checker, base: ObjectType, name: string, span: Span): Type {
  const declared = base.properties.get(name);
  if (declared !== undefined) {
    return declared.type;
  }
  if (base.additional?.type.kind === "any" && (base.additional.flags & PropertyFlags.Fallback) === 0) {
    return anyType;
  }
  const found = lookupProperty(withObject(base, { additional: undefined }), name);
  const known = found.found ? [] : found.available;
  return checker.fail(unknownMember(base, name, span, known));
}

function unknownMember(
  type: Type,
  name: string,
  span: Span,
  known: readonly string[],
): ReturnType<typeof checks.noSuchProperty> {
  const meant = suggestSpelling(name, known);
  if (meant !== undefined) {
    return checks.misspelledProperty("error", span, name, type, meant);
  }
  return known.length === 0
    ? checks.noSuchProperty("error", span, name, type)
    : checks.unknownProperty("error", span, name, type, known);
}

function sourceOfPart(
  checker: Checker,
  node: TypeAdditionalPropertiesAccess | TypeArrayAccess | TypeItemsAccess,
): TypeSource {
  return withBase(checker, node, (base) => {
    if (base.kind === "any") {
      return anyType;
    }
    switch (node.kind) {
      case "TypeAdditionalPropertiesAccess": {
        const additional = base.kind === "object" ? base.additional : undefined;
        const isExplicit = additional !== undefined && (additional.flags & PropertyFlags.Fallback) === 0;
        return isExplicit && additional.type.kind !== "any"
          ? additional.type
          : checker.fail(checks.noAdditional(node.star, base));
      }
      case "TypeItemsAccess":
        return base.kind === "array" && base.item.kind !== "any"
          ? base.item
          : checker.fail(checks.noItems({ start: node.open.start, end: node.close.end }, base));
      case "TypeArrayAccess":
        return tupleItem(checker, node, base);
      default:
        return node satisfies never;
    }
  });
}

function tupleItem(checker: Checker, node: TypeArrayAccess, base: Type): Type {
  const index = checker.typeOf(node.index);
  if (index.kind === "error") {
    return silentError;
  }
  if (index.kind !== "intLiteral") {
    return checker.fail(checks.notConstant(node.index));
  }
  if (index.value < 0n) {
    return checker.fail(checks.indexNegative(node.index));
  }
  if (base.kind !== "tuple") {
    return checker.fail(checks.notATuple(node.index, base));
  }
  return base.items[Number(index.value)] ?? checker.fail(checks.tupleIndex(node.index, base, base.items.length));
}

/** Only names, and members of what they name, have members. */
function withBase(
  checker: Checker,
  node: TypePropertyAccess | TypeAdditionalPropertiesAccess | TypeArrayAccess | TypeItemsAccess,
  take: (base: Type) => Type,
): TypeSource {
  const { target } = node;
  switch (target.kind) {
    case "TypeReference":
    case "TypePropertyAccess":
    case "TypeAdditionalPropertiesAccess":
    case "TypeArrayAccess":
    case "TypeItemsAccess":
    case "TypeInstantiation":
    case "InstanceTypeInstantiation":
      return mapSource(checker.sourceOfTypeExpression(target), (type) => {
        if (type.kind === "error") {
          return silentError;
        }
        const base = withoutNull(type) ?? type;
        return take(base.kind === "resource" ? base.body : base);
      });
    case "Skipped":
      return silentError;
    default:
      return checker.fail(checks.accessBase(node));
  }
}

// ---------------------------------------------------------------------------------------------------- the rest

function typeOfOperation(checker: Checker, node: Extract<TypeExpression, { kind: "UnaryTypeOperation" }>): Type {
  const { operand, operator } = node;
  if (operator === "-" && operand.kind === "IntegerTypeLiteral" && -operand.value >= minInt) {
    return intLiteral(-operand.value);
  }
  const type = checker.typeOfTypeExpression(operand);
  if (type.kind === "error") {
    return type;
  }
  if (operator === "!" && type.kind === "boolLiteral") {
    return boolLiteral(!type.value);
  }
  if (operator === "-" && type.kind === "intLiteral") {
    return intLiteral(-type.value);
  }
  return checker.fail(checks.notLiteralType(node));
}

/** `resourceInput<'T@v'>` and its kin; the body of the resource is the type that members are taken of. */
function typeOfInstantiation(checker: Checker, node: TypeInstantiation | InstanceTypeInstantiation): Type {
  const { name } = node.name;
  const symbol = node.kind === "TypeInstantiation" ? checker.symbolOf(node) : undefined;
  if (symbol?.kind === "error") {
    return symbol.diagnostic === undefined ? silentError : checker.fail(symbol.diagnostic);
  }
  const isBuiltIn = node.kind === "InstanceTypeInstantiation" || symbol?.kind === "ambientType";
  if (!isBuiltIn || !resourceDerivedTypes.has(name)) {
    return checker.fail(checks.notGeneric(node.name, name));
  }
  if (name === "resource") {
    checker.report(checks.derivedDeprecated(node.name));
  }
  const brackets = { start: node.open.start, end: node.close.end };
  const [argument] = node.args;
  if (argument === undefined || node.args.length !== 1) {
    return checker.fail(checks.argumentCount(brackets, `"${name}"`, 1, 1, node.args.length));
  }
  if (argument.type.kind !== "StringTypeLiteral") {
    const type = checker.typeOfTypeExpression(argument.type);
    return type.kind === "error" ? silentError : checker.fail(checks.argumentType(argument, stringType, type));
  }
  if (literalText(argument.type.value) === undefined) {
    return checker.fail(checks.notConstant(argument));
  }
  const type = resourceTypeOfText(checker, argument.type.value)?.type;
  if (type === undefined) {
    return silentError;
  }
  if (!isTaken(checker, node)) {
    checker.report(checks.derivedWhole(node));
  }
  return type;
}

function isTaken(checker: Checker, node: Node): boolean {
  const parent = checker.parentOf(node);
  return (
    (parent?.kind === "TypePropertyAccess" ||
      parent?.kind === "TypeAdditionalPropertiesAccess" ||
      parent?.kind === "TypeArrayAccess" ||
      parent?.kind === "TypeItemsAccess") &&
    parent.target === node
  );
}
