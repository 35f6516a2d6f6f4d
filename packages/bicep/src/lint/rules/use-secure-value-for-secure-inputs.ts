import { createRunTimeValues } from "../../limits/index.ts";
import { walk } from "../../syntax/index.ts";
import type { Node } from "../../syntax/index.ts";
import { hasFlag, TypeFlags } from "../../types/index.ts";
import { textOf } from "../objects.ts";
import type { Rule } from "../rule.ts";

export const useSecureValueForSecureInputs: Rule = {
  name: "use-secure-value-for-secure-inputs",
  category: "Security",
  start: ({ model, report }) => {
    const values = createRunTimeValues(model);
    const isKnownAtStart = (value: Node): boolean => {
      let isKnown = true;
      walk(value, (node) => {
        isKnown &&= values.judge(node)?.use === undefined;
        return isKnown;
      });
      return isKnown;
    };
    return {
      ResourceDeclaration: (declaration) => {
        // Azure's types say nothing about secrets; those of packages do.
        const symbol = model.symbolOf(declaration);
        if (symbol?.kind !== "resource" || model.resourceOf(symbol).isAzure) {
          return;
        }
        walk(declaration.body, (node) => {
          if (node.kind !== "ObjectProperty") {
            return node.kind !== "ResourceDeclaration";
          }
          const property = model.declaredPropertyOf(node);
          const type = model.typeOf(node.value);
          const isSecret = property !== undefined && hasFlag(property.type, TypeFlags.Secure);
          const isEmpty = type.kind === "null" || textOf(node.value) === "";
          if (isSecret && !isEmpty && !hasFlag(type, TypeFlags.Secure) && isKnownAtStart(node.value)) {
            report(node.value, `"${property.name}" is a secret: give it a secure parameter or output.`);
          }
          return true;
        });
      },
    };
  },
};
