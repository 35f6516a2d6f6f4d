import type { DiagnosticSink } from "../diagnostic.ts";
import type { ModuleSymbol, ResourceSymbol, SemanticModel, VariableSymbol } from "../semantics/index.ts";
import type { Node } from "../syntax/index.ts";
import { limitDiagnostics } from "./diagnostics.ts";
import { propertyName } from "./properties.ts";
import { isCollection } from "./targets.ts";

/**
 * Whole collections of resources and modules (BCP144) and `[?]` on them (BCP323). A variable that holds a collection
 * is emitted in place, so its uses are judged like uses of the collection.
 */
export function checkCollections(model: SemanticModel, sink: DiagnosticSink): void {
  for (const symbol of [...model.declarations.allResources, ...model.declarations.modules]) {
    if (isCollection(symbol)) {
      checkCollection(model, symbol, sink);
    }
  }
}

function checkCollection(model: SemanticModel, symbol: ResourceSymbol | ModuleSymbol, sink: DiagnosticSink): void {
  const holders = new Set<VariableSymbol>();
  const pending: (ResourceSymbol | ModuleSymbol | VariableSymbol)[] = [symbol];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const reference of model.referencesTo(at)) {
      if (at === symbol && isIndexed(model, reference, sink)) {
        continue;
      }
      const place = placeOf(model, reference);
      if (place === "elsewhere") {
        sink.report(limitDiagnostics.collectionWithoutIndex(reference, symbol.kind, symbol.name));
      } else if (place !== "allowed" && !holders.has(place)) {
        holders.add(place);
        pending.push(place);
      }
    }
  }
}

function isIndexed(model: SemanticModel, reference: Node, sink: DiagnosticSink): boolean {
  let below = reference;
  let parent = model.parentOf(below);
  while (parent?.kind === "NonNullAssertion") {
    below = parent;
    parent = model.parentOf(parent);
  }
  if (parent?.kind !== "ArrayAccess" || parent.target !== below) {
    return false;
  }
  if (parent.safe !== undefined) {
    sink.report(limitDiagnostics.safeCollectionIndex(parent.safe));
  }
  return true;
}

/** Where a whole collection is named; the variable, when the place is its value. */
function placeOf(model: SemanticModel, reference: Node): "allowed" | "elsewhere" | VariableSymbol {
  let inLoop = false;
  let property: string | undefined;
  for (let at = model.parentOf(reference); at !== undefined; at = model.parentOf(at)) {
    switch (at.kind) {
      case "ForExpression":
        inLoop = true;
        break;
      case "ObjectProperty":
        property = propertyName(at); // the outermost one stays
        break;
      case "FunctionCall":
        if (at.name.name === "nameof") {
          return "allowed";
        }
        break;
      case "ResourceDeclaration":
        return property === "dependsOn" || (property === "properties" && !inLoop) ? "allowed" : "elsewhere";
      case "ModuleDeclaration":
        return property === "dependsOn" || (property === "params" && !inLoop) ? "allowed" : "elsewhere";
      case "OutputDeclaration":
        return inLoop ? "elsewhere" : "allowed";
      case "VariableDeclaration": {
        const symbol = model.symbolOf(at);
        return symbol?.kind === "variable" && !inLoop ? symbol : "elsewhere";
      }
      default:
        break;
    }
  }
  return "elsewhere";
}
