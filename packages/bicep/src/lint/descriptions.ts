import type { OutputSymbol, ParameterSymbol, SemanticModel, TypeSymbol, VariableSymbol } from "../semantics/index.ts";
import type { Node } from "../syntax/index.ts";
import { propertyAt } from "./objects.ts";
import type { Rule } from "./rule.ts";

type Described = ParameterSymbol | VariableSymbol | OutputSymbol | TypeSymbol;

/** A rule that asks for a description of each declaration of a kind. */
export function descriptionRule(what: string, declared: (model: SemanticModel) => readonly Described[]): Rule {
  return {
    name: `use-description-${what}`,
    category: "BestPractice",
    level: "off",
    start: ({ model, report }) => {
      for (const symbol of declared(model)) {
        if (!isDescribed(model, symbol.declaration)) {
          report(symbol.nameNode, `"${symbol.name}" has no description.`);
        }
      }
    },
  };
}

export function isDescribed(model: SemanticModel, node: Node): boolean {
  if (model.decoratorOf(node, "description") !== undefined) {
    return true;
  }
  const metadata = model.decoratorOf(node, "metadata")?.args[0]?.expression;
  return propertyAt(metadata, "description") !== undefined;
}
