import type { ModuleInfo, ModuleSymbol, ResourceInfo, ResourceSymbol } from "../semantics/index.ts";
import { literalText } from "../syntax/index.ts";
import type { ArrayAccess, Expression, ForExpression } from "../syntax/index.ts";
import type { FileContext } from "./file-context.ts";

/** A resource or module that an expression names, with the index when it is one of a collection. */
export interface Target<S = ResourceSymbol | ModuleSymbol> {
  readonly symbol: S;
  readonly index: Expression | undefined;
}

/** What an expression refers to as a whole; variables that are emitted in place are looked through. */
export function targetOf(file: FileContext, node: Expression): Target | undefined {
  switch (node.kind) {
    case "ParenthesizedExpression":
      return targetOf(file, node.expression);
    case "NonNullAssertion":
      return targetOf(file, node.target);
    case "VariableAccess":
    case "ResourceAccess": {
      const symbol = file.model.symbolOf(node);
      if (symbol?.kind === "resource" || symbol?.kind === "module") {
        return { symbol, index: undefined };
      }
      return symbol?.kind === "variable" && file.inlining.isInlined(symbol)
        ? targetOf(file, symbol.declaration.value)
        : undefined;
    }
    case "ArrayAccess": {
      const collection = node.fromEnd === undefined ? targetOf(file, node.target) : undefined;
      const isItem = collection?.index === undefined && loopOf(file, collection?.symbol) !== undefined;
      return collection !== undefined && isItem ? { symbol: collection.symbol, index: node.index } : undefined;
    }
    default:
      return undefined;
  }
}

export function isResource(target: Target): target is Target<ResourceSymbol> {
  return target.symbol.kind === "resource";
}

export function infoOf(file: FileContext, symbol: ResourceSymbol | ModuleSymbol): ResourceInfo | ModuleInfo {
  return symbol.kind === "resource" ? file.model.resourceOf(symbol) : file.model.moduleOf(symbol);
}

export function loopOf(
  file: FileContext,
  symbol: ResourceSymbol | ModuleSymbol | undefined,
): ForExpression | undefined {
  return symbol === undefined ? undefined : infoOf(file, symbol).loop;
}

/** `x['name']` means the same as `x.name`. */
export function literalIndex(node: ArrayAccess): string | undefined {
  return node.fromEnd === undefined && node.index.kind === "StringExpression" ? literalText(node.index) : undefined;
}

/** How a resource or module is called in the template: nested ones have their containers' names in front. */
export function symbolicName(symbol: ResourceSymbol | ModuleSymbol): string {
  return symbol.kind === "resource" && symbol.container !== undefined
    ? `${symbolicName(symbol.container)}::${symbol.name}`
    : symbol.name;
}
