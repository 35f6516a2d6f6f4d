import type { DeclaredSymbol, SemanticModel, TypeSymbol, VariableSymbol } from "../semantics/index.ts";

/** Whether a declaration has a name at all; one that did not parse cannot be used either. */
export function isNamed({ name }: DeclaredSymbol): boolean {
  return name !== "<missing>" && name !== "<error>";
}

export function isExported(model: SemanticModel, symbol: VariableSymbol | TypeSymbol): boolean {
  return model.decoratorOf(symbol.declaration, "export") !== undefined;
}
