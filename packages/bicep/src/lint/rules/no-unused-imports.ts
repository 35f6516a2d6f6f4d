import type { Rule } from "../rule.ts";
import { isNamed } from "../symbols.ts";

export const noUnusedImports: Rule = {
  name: "no-unused-imports",
  category: "BestPractice",
  start: ({ model, report }) => {
    for (const symbol of [...model.declarations.imports, ...model.declarations.wildcards]) {
      if (isNamed(symbol) && model.referencesTo(symbol).length === 0) {
        report(symbol.nameNode, `The import "${symbol.name}" is never used.`);
      }
    }
  },
};
