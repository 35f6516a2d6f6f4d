import { propertyAt } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const noModuleName: Rule = {
  name: "no-module-name",
  category: "Style",
  level: "off",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.modules) {
      const property = propertyAt(model.moduleOf(symbol).body, "name");
      if (property !== undefined) {
        report(property, "A module needs no name: one is made up for its deployment.");
      }
    }
  },
};
