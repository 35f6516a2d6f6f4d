import { isDescribed } from "../descriptions.ts";
import type { Rule } from "../rule.ts";

export const useDescriptionTypeProperties: Rule = {
  name: "use-description-type-properties",
  category: "BestPractice",
  level: "off",
  start: ({ model, report }) => ({
    ObjectTypeProperty: (node) => {
      if (!isDescribed(model, node)) {
        report(node.key, "The property has no description.");
      }
    },
  }),
};
