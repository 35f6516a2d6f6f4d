import { isDeployment } from "../nested-deployments.ts";
import type { Rule } from "../rule.ts";

export const noDeploymentsResources: Rule = {
  name: "no-deployments-resources",
  category: "BestPractice",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.allResources) {
      const info = model.resourceOf(symbol);
      if (isDeployment(info) && info.typeNode !== undefined) {
        report(info.typeNode, "A module does what a nested deployment does, and is checked.");
      }
    }
  },
};
