import { isCallOf } from "../calls.ts";
import type { Rule } from "../rule.ts";

export const noLocExprOutsideParams: Rule = {
  name: "no-loc-expr-outside-params",
  category: "ResourceLocationRules",
  start: ({ model, report }) => ({
    PropertyAccess: (node) => {
      const { target } = node;
      const isLocation =
        node.name.name === "location" &&
        (isCallOf(model, target, "az", "resourceGroup") || isCallOf(model, target, "az", "deployment"));
      if (!isLocation) {
        return;
      }
      for (let at = model.parentOf(node); at !== undefined; at = model.parentOf(at)) {
        if (at.kind === "ParameterDefault") {
          return;
        }
      }
      report(node, "Only the default of a parameter should take its location from the deployment.");
    },
  }),
};
