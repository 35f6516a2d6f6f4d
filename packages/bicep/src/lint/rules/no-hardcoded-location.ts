import type { VariableSymbol } from "../../semantics/index.ts";
import { propertyAt, textOf } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const noHardcodedLocation: Rule = {
  name: "no-hardcoded-location",
  category: "ResourceLocationRules",
  start: ({ model, report }) => {
    const reported = new Set<VariableSymbol>();
    for (const symbol of model.declarations.allResources) {
      const value = propertyAt(model.resourceOf(symbol).body, "location")?.value;
      if (value === undefined) {
        continue;
      }
      const text = textOf(value);
      if (text !== undefined) {
        if (text.toLowerCase() !== "global") {
          report(value, "Where a resource is deployed should be a parameter.");
        }
        continue;
      }
      const variable = model.symbolOf(value);
      if (variable?.kind !== "variable" || reported.has(variable)) {
        continue;
      }
      const behind = textOf(variable.declaration.value);
      if (behind !== undefined && behind.toLowerCase() !== "global") {
        reported.add(variable);
        report(variable.nameNode, `"${variable.name}" is a location and should be a parameter.`);
      }
    }
  },
};
