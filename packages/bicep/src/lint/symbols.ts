import type { DeclaredSymbol, SemanticModel, TypeSymbol, VariableSymbol } from "../semantics/index.ts";

/** Whether a declaration has a name at all; one that did not parse cannot be used either. */
export function isNamed({ name }: DeclaredSymbol): boolean {
  return name !== "<missing>" && name !== "<error>";
}

/** Whether anything refers to a declaration; calling what is no function counts, since it means the declaration. */
export function isUsed(model: SemanticModel, symbol: DeclaredSymbol): boolean {
  if (model.referencesTo(symbol).length > 0) {
    return true;
  }
  return calledNames(model).get(symbol.name) === symbol;
}

export function isExported(model: SemanticModel, symbol: VariableSymbol | TypeSymbol): boolean {
  return model.decoratorOf(symbol.declaration, "export") !== undefined;
}

const calledNamesOf = new WeakMap<SemanticModel, ReadonlyMap<string, DeclaredSymbol>>();

/** The declarations whose names are called somewhere, by name; of duplicates, the first. */
function calledNames(model: SemanticModel): ReadonlyMap<string, DeclaredSymbol> {
  let found = calledNamesOf.get(model);
  if (found === undefined) {
    found = findCalledNames(model);
    calledNamesOf.set(model, found);
  }
  return found;
}

function findCalledNames(model: SemanticModel): ReadonlyMap<string, DeclaredSymbol> {
  const names = new Set(model.nodesOf("FunctionCall").map((call) => call.name.name));
  const called = new Map<string, DeclaredSymbol>();
  for (const symbol of model.declarations.all) {
    if (names.has(symbol.name) && !called.has(symbol.name)) {
      called.set(symbol.name, symbol);
    }
  }
  return called;
}
