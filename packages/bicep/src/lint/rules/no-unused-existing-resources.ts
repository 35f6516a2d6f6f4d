import type { Rule } from "../rule.ts";
import { isNamed, isUsed } from "../symbols.ts";

export const noUnusedExistingResources: Rule = {
  name: "no-unused-existing-resources",
  category: "BestPractice",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.resources) {
      const isExisting = symbol.declaration.existing !== undefined;
      if (isExisting && isNamed(symbol) && symbol.nested.length === 0 && !isUsed(model, symbol)) {
        report(symbol.nameNode, `The existing resource "${symbol.name}" is never used.`);
      }
    }
  },
};
