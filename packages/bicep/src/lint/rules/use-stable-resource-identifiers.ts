import { forEachMeaningfulChild, propertiesOf, propertyName } from "../../limits/index.ts";
import type { BicepSymbol, SemanticModel } from "../../semantics/index.ts";
import type { Node } from "../../syntax/index.ts";
import { isCallOf } from "../calls.ts";
import type { Rule } from "../rule.ts";

export const useStableResourceIdentifiers: Rule = {
  name: "use-stable-resource-identifiers",
  category: "PotentialCodeIssues",
  start: ({ model, report }) => {
    const unstable = createUnstableValues(model);
    for (const symbol of model.declarations.allResources) {
      for (const property of propertiesOf(model.resourceOf(symbol).body)) {
        const name = propertyName(property);
        const call = name === "name" || name === "scope" ? unstable.in(property.value) : undefined;
        if (call !== undefined) {
          report(property.value, `"${call}" gives each deployment another value, and so another resource.`);
        }
      }
    }
  },
};

/** Finds `utcNow` and `newGuid` through variables and the defaults of parameters, each followed once. */
function createUnstableValues(model: SemanticModel): { in(node: Node): string | undefined } {
  const known = new Map<BicepSymbol, string | undefined>();

  function inside(root: Node): string | undefined {
    let found: string | undefined;
    const visit = (node: Node): void => {
      if (found !== undefined) {
        return;
      }
      if (isCallOf(model, node, "sys", "utcNow") || isCallOf(model, node, "sys", "newGuid")) {
        found = node.name.name;
      } else if (node.kind === "VariableAccess") {
        const symbol = model.symbolOf(node);
        found = symbol === undefined ? undefined : behind(symbol);
      } else {
        forEachMeaningfulChild(node, visit);
      }
    };
    visit(root);
    return found;
  }

  function behind(symbol: BicepSymbol): string | undefined {
    if (known.has(symbol)) {
      return known.get(symbol);
    }
    known.set(symbol, undefined); // where a cycle ends
    let value: Node | undefined;
    if (symbol.kind === "variable") {
      ({ value } = symbol.declaration);
    } else if (symbol.kind === "parameter") {
      value = symbol.declaration.modifier;
    }
    const found = value === undefined ? undefined : inside(value);
    known.set(symbol, found);
    return found;
  }

  return { in: inside };
}
