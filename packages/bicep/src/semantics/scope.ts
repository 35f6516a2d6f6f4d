import type { BicepSymbol } from "./symbols.ts";

/** Names that are visible in a part of a file, and where to look further. */
export interface Scope {
  readonly outer: Scope | undefined;
  readonly names: ReadonlyMap<string, BicepSymbol>;
  /** Set around the body of a function declaration, which does not see parameters and modules. */
  readonly isFunction: boolean;
}

/** The innermost symbol of a name. */
export function findInScope(scope: Scope, name: string): BicepSymbol | undefined {
  let inFunction = false;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const symbol = at.names.get(name);
    if (symbol !== undefined && (!inFunction || isVisibleInFunction(symbol))) {
      return symbol;
    }
    inFunction ||= at.isFunction;
  }
  return undefined;
}

/** A scope with the first symbol of each name. */
export function scopeWith(
  outer: Scope | undefined,
  symbols: Iterable<BicepSymbol>,
  options: { readonly isFunction?: boolean } = {},
): Scope {
  const names = new Map<string, BicepSymbol>();
  for (const symbol of symbols) {
    if (!names.has(symbol.name)) {
      names.set(symbol.name, symbol);
    }
  }
  return { outer, names, isFunction: options.isFunction ?? false };
}

function isVisibleInFunction(symbol: BicepSymbol): boolean {
  switch (symbol.kind) {
    case "variable":
    case "function":
    case "type":
    case "imported":
    case "wildcard":
    case "extension":
    case "resource":
      return true;
    default:
      return false;
  }
}
