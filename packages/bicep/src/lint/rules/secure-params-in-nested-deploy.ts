import { walk } from "../../syntax/index.ts";
import { hasFlag, TypeFlags } from "../../types/index.ts";
import { isListCall } from "../calls.ts";
import { isDeployment, isInnerScoped } from "../nested-deployments.ts";
import { propertyAt } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const secureParamsInNestedDeploy: Rule = {
  name: "secure-params-in-nested-deploy",
  category: "Security",
  start: ({ model, report }) => {
    for (const symbol of model.declarations.allResources) {
      const info = model.resourceOf(symbol);
      const template = isDeployment(info) ? propertyAt(info.body, "properties", "template")?.value : undefined;
      if (template === undefined || isInnerScoped(model, info)) {
        continue;
      }
      let parameter: string | undefined;
      let call: string | undefined;
      walk(template, (node) => {
        const target = node.kind === "VariableAccess" ? model.symbolOf(node) : undefined;
        if (target?.kind === "parameter" && hasFlag(model.typeOfSymbol(target), TypeFlags.Secure)) {
          parameter ??= target.name;
        } else if (isListCall(model, node)) {
          call ??= node.name.name;
        }
      });
      if (parameter !== undefined) {
        report(symbol.nameNode, `The nested deployment shows the secure parameter "${parameter}" in its history.`);
      }
      if (call !== undefined) {
        report(symbol.nameNode, `The nested deployment shows the result of "${call}" in its history.`);
      }
    }
  },
};
