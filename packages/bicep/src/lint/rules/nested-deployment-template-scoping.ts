import { walk } from "../../syntax/index.ts";
import { isDeployment, isInnerScoped } from "../nested-deployments.ts";
import { propertyAt } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const nestedDeploymentTemplateScoping: Rule = {
  name: "nested-deployment-template-scoping",
  category: "DeploymentError",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.allResources) {
      const info = model.resourceOf(symbol);
      const template = isDeployment(info) ? propertyAt(info.body, "properties", "template")?.value : undefined;
      if (template === undefined || !isInnerScoped(model, info)) {
        continue;
      }
      walk(template, (node) => {
        const target = node.kind === "VariableAccess" ? model.symbolOf(node) : undefined;
        if (target !== undefined && topLevel.has(target.kind)) {
          report(node, `"${target.name}" does not exist inside of the nested template; pass it as a parameter.`);
        }
      });
    }
  },
};

const topLevel: ReadonlySet<string> = new Set(["parameter", "variable", "resource", "module", "imported", "wildcard"]);
