import { membersOf } from "../../types/index.ts";
import type { Rule } from "../rule.ts";

export const simplifyInterpolation: Rule = {
  name: "simplify-interpolation",
  category: "Style",
  start: ({ model, report }) => ({
    StringExpression: (node) => {
      const hole = node.expressions.length === 1 ? node.expressions[0] : undefined;
      if (hole === undefined || node.segments.some((text) => text !== "")) {
        return;
      }
      const parent = model.parentOf(node);
      const isWholeValue =
        (parent?.kind === "ObjectProperty" && parent.value === node) ||
        parent?.kind === "VariableDeclaration" ||
        parent?.kind === "OutputDeclaration" ||
        parent?.kind === "ParameterDefault";
      const isText = membersOf(model.typeOf(hole)).every(({ kind }) => kind === "string" || kind === "stringLiteral");
      if (isWholeValue && isText) {
        report(node, "The value is a string already: leave out the quotes and the braces.");
      }
    },
  }),
};
