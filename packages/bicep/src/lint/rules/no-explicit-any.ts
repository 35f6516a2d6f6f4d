import type { Rule } from "../rule.ts";

export const noExplicitAny: Rule = {
  name: "no-explicit-any",
  category: "BestPractice",
  start: ({ model, report }) => ({
    TypeReference: (node) => {
      const symbol = node.name.name === "any" ? model.symbolOf(node) : undefined;
      if (symbol?.kind === "ambientType") {
        report(node.name, `"any" turns off all checks; say what the value is.`);
      }
    },
  }),
};
