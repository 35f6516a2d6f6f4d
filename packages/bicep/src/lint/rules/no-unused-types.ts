import type { Rule } from "../rule.ts";
import { isExported, isNamed, isUsed } from "../symbols.ts";

export const noUnusedTypes: Rule = {
  name: "no-unused-types",
  category: "BestPractice",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.types) {
      if (isNamed(symbol) && !isUsed(model, symbol) && !isExported(model, symbol)) {
        report(symbol.nameNode, `The type "${symbol.name}" is never used.`);
      }
    }
  },
};
