import type { Rule } from "../rule.ts";

export const decompilerCleanup: Rule = {
  name: "decompiler-cleanup",
  category: "Style",
  start: ({ model, report }) => {
    for (const { name, nameNode } of model.declarations.variables) {
      if (name.endsWith("_var")) {
        report(nameNode, `The name "${name}" was made by decompiling; a name of your own says more.`);
      }
    }
    for (const symbol of model.declarations.allResources) {
      const { isAzure, name } = model.resourceOf(symbol);
      if (isAzure && symbol.name.endsWith("_resource") && name?.kind === "StringExpression") {
        report(name, `The symbol "${symbol.name}" was named by decompiling; a name of your own says more.`);
      }
    }
  },
};
