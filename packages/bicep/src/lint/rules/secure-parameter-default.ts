import type { SemanticModel } from "../../semantics/index.ts";
import { literalText, walk } from "../../syntax/index.ts";
import type { Expression } from "../../syntax/index.ts";
import { hasFlag, TypeFlags } from "../../types/index.ts";
import { isCallOf } from "../calls.ts";
import type { Rule } from "../rule.ts";

export const secureParameterDefault: Rule = {
  name: "secure-parameter-default",
  category: "Security",
  start: ({ model, report }) => {
    for (const { declaration } of model.declarations.parameters) {
      const { modifier } = declaration;
      if (modifier?.kind !== "ParameterDefault" || model.decoratorOf(declaration, "secure") === undefined) {
        continue;
      }
      if (!isHarmless(model, modifier.value)) {
        report(modifier, "A secure parameter should have no default value that can be read in the template.");
      }
    }
  },
};

/** Empty, secure itself, or made up anew for each deployment. */
function isHarmless(model: SemanticModel, value: Expression): boolean {
  if (value.kind === "StringExpression" && literalText(value) === "") {
    return true;
  }
  if (value.kind === "ObjectExpression" && value.elements.length === 0) {
    return true;
  }
  if (hasFlag(model.typeOf(value), TypeFlags.Secure)) {
    return true;
  }
  let isRandom = false;
  walk(value, (node) => {
    isRandom ||= isCallOf(model, node, "sys", "newGuid");
    return !isRandom;
  });
  return isRandom;
}
