import type { Rule } from "../rule.ts";
import { isNamed } from "../symbols.ts";

export const noUnusedParams: Rule = {
  name: "no-unused-params",
  category: "BestPractice",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.parameters) {
      if (isNamed(symbol) && model.referencesTo(symbol).length === 0) {
        report(symbol.nameNode, `The parameter "${symbol.name}" is never used.`);
      }
    }
  },
};
