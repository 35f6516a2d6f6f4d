import type { Rule } from "../rule.ts";
import { isNamed, isUsed } from "../symbols.ts";

export const noUnusedImports: Rule = {
  name: "no-unused-imports",
  category: "BestPractice",
  start: ({ model, report }) => {
    for (const symbol of [...model.declarations.imports, ...model.declarations.wildcards]) {
      const source = symbol.kind === "imported" ? model.importOf(symbol)?.source : model.wildcardOf(symbol);
      // An import that failed is an error already.
      if (source !== undefined && !source.hasErrors() && isNamed(symbol) && !isUsed(model, symbol)) {
        report(symbol.nameNode, `The import "${symbol.name}" is never used.`);
      }
    }
  },
};
