import type { ModuleSymbol, ResourceSymbol, SemanticModel } from "../semantics/index.ts";
import type { Expression, FunctionCall, InstanceFunctionCall } from "../syntax/index.ts";
import type { FunctionOverload, ObjectType, Type } from "../types/index.ts";

/** The one resource or module that an expression stands for: a name, a nested name, or an indexed collection. */
export function instanceOf(
  model: SemanticModel,
  expression: Expression,
): { readonly symbol: ResourceSymbol | ModuleSymbol; readonly index: Expression | undefined } | undefined {
  const target = withoutAssertion(expression);
  if (target.kind === "ArrayAccess") {
    const collection = collectionOf(model, target.target);
    return collection === undefined ? undefined : { symbol: collection, index: target.index };
  }
  const symbol =
    target.kind === "VariableAccess" || target.kind === "ResourceAccess" ? model.symbolOf(target) : undefined;
  return isPlaceable(symbol) && !isCollection(symbol) && isTyped(model, symbol)
    ? { symbol, index: undefined }
    : undefined;
}

/** The resource or module collection that an expression names. */
export function collectionOf(model: SemanticModel, expression: Expression): ResourceSymbol | ModuleSymbol | undefined {
  const target = withoutAssertion(expression);
  const symbol =
    target.kind === "VariableAccess" || target.kind === "ResourceAccess" ? model.symbolOf(target) : undefined;
  return isPlaceable(symbol) && isCollection(symbol) && isTyped(model, symbol) ? symbol : undefined;
}

/** `FunctionFlags` of what a call names, whichever overload it is. */
export function functionFlags(model: SemanticModel, node: FunctionCall | InstanceFunctionCall): number {
  const resolved = model.callOf(node);
  if (resolved !== undefined) {
    return resolved.overload.flags;
  }
  const symbol = model.symbolOf(node);
  if (symbol?.kind === "builtInFunction") {
    return flagsOf(symbol.overloads);
  }
  if (node.kind === "FunctionCall" || symbol !== undefined) {
    return 0;
  }
  const target = instanceOf(model, node.target);
  const bodies = target === undefined ? [] : bodiesOf(model, target.symbol);
  return bodies.reduce((flags, body) => flags | flagsOf(body.methods?.overloads(node.name.name) ?? []), 0);
}

export function isPlaceable(symbol: { readonly kind: string } | undefined): symbol is ResourceSymbol | ModuleSymbol {
  return symbol?.kind === "resource" || symbol?.kind === "module";
}

export function isCollection(symbol: ResourceSymbol | ModuleSymbol): boolean {
  return symbol.declaration.body.kind === "ForExpression";
}

function withoutAssertion(expression: Expression): Expression {
  let at = expression;
  while (at.kind === "NonNullAssertion") {
    at = at.target;
  }
  return at;
}

/** Whether anything is known about its body. */
export function isTyped(model: SemanticModel, symbol: ResourceSymbol | ModuleSymbol): boolean {
  return symbol.kind === "resource"
    ? model.resourceOf(symbol).type !== undefined
    : model.moduleOf(symbol).template !== undefined;
}

/** The object types that its body can have. */
export function bodiesOf(model: SemanticModel, symbol: ResourceSymbol | ModuleSymbol): readonly ObjectType[] {
  const type = symbol.kind === "resource" ? model.resourceOf(symbol).type : itemType(model.typeOfSymbol(symbol));
  const body = type?.kind === "resource" || type?.kind === "module" ? type.body : undefined;
  if (body?.kind === "object") {
    return [body];
  }
  return body?.kind === "discriminated" ? Array.from(body.members.values()) : [];
}

function itemType(type: Type): Type {
  return type.kind === "array" ? type.item : type;
}

function flagsOf(overloads: readonly FunctionOverload[]): number {
  return overloads.reduce((flags, overload) => flags | overload.flags, 0);
}
