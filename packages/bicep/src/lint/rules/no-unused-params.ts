import type { Rule } from "../rule.ts";
import { isNamed, isUsed } from "../symbols.ts";

export const noUnusedParams: Rule = {
  name: "no-unused-params",
  category: "BestPractice",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.parameters) {
      if (isNamed(symbol) && !isUsed(model, symbol)) {
        report(symbol.nameNode, `The parameter "${symbol.name}" is never used.`);
      }
    }
  },
};
