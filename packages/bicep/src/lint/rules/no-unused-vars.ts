import type { Rule } from "../rule.ts";
import { isExported, isNamed, isUsed } from "../symbols.ts";

export const noUnusedVars: Rule = {
  name: "no-unused-vars",
  category: "BestPractice",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.variables) {
      if (isNamed(symbol) && !isUsed(model, symbol) && !isExported(model, symbol)) {
        report(symbol.nameNode, `The variable "${symbol.name}" is never used.`);
      }
    }
  },
};
