import type { SemanticModel } from "../../semantics/index.ts";
import { walk } from "../../syntax/index.ts";
import { propertyAt } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const explicitValuesForLocParams: Rule = {
  name: "explicit-values-for-loc-params",
  category: "ResourceLocationRules",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.modules) {
      const { template, params, body } = model.moduleOf(symbol);
      if (template?.origin.kind !== "bicep") {
        continue;
      }
      for (const name of locationParameters(template.origin.model)) {
        if (propertyAt(params, name) === undefined) {
          report(
            propertyAt(body, "params") ?? symbol.nameNode,
            `Say where the module is deployed: "${name}" has a default that may differ from what you expect.`,
          );
        }
      }
    }
  },
};

/** The parameters with a default that a module uses as the location of its resources. */
function locationParameters(model: SemanticModel): ReadonlySet<string> {
  const names = new Set<string>();
  for (const symbol of model.declarations.allResources) {
    const location = propertyAt(model.resourceOf(symbol).body, "location")?.value;
    if (location === undefined) {
      continue;
    }
    walk(location, (node) => {
      const target = node.kind === "VariableAccess" ? model.symbolOf(node) : undefined;
      if (target?.kind === "parameter" && target.declaration.modifier !== undefined) {
        names.add(target.name);
      }
    });
  }
  return names;
}
