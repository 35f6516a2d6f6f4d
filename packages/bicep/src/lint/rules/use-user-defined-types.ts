import type { Rule } from "../rule.ts";

export const useUserDefinedTypes: Rule = {
  name: "use-user-defined-types",
  category: "BestPractice",
  level: "off",
  start: ({ model, report }) => ({
    TypeReference: (node) => {
      const { name } = node.name;
      if ((name === "object" || name === "array") && model.symbolOf(node)?.kind === "ambientType") {
        report(node.name, `"${name}" says little about the value; a type of its own says what is in it.`);
      }
    },
  }),
};
