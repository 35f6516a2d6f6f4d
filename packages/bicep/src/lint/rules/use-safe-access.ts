import type { SemanticModel } from "../../semantics/index.ts";
import { literalText, nodeText } from "../../syntax/index.ts";
import type { ArrayAccess, Expression, PropertyAccess, TernaryOperation } from "../../syntax/index.ts";
import { isNullable } from "../../types/index.ts";
import { isCallOf, unwrapped } from "../calls.ts";
import type { Rule } from "../rule.ts";

export const useSafeAccess: Rule = {
  name: "use-safe-access",
  category: "BestPractice",
  start: ({ model, report }) => {
    const checkAccess = (node: PropertyAccess | ArrayAccess) => {
      const mayBeMissing =
        node.safe === undefined && model.typeOf(node.target).kind === "object" && isNullable(model.typeOf(node));
      if (mayBeMissing && model.parentOf(node)?.kind !== "NonNullAssertion") {
        report(node, `The property may be missing: read it with ".?" or "[?]".`);
      }
    };
    return {
      PropertyAccess: checkAccess,
      ArrayAccess: checkAccess,
      TernaryOperation: (node) => {
        if (isGuardedAccess(model, node)) {
          report(node, `".?" and "??" say the same in fewer words.`);
        }
      },
    };
  },
};

/** `contains(object, 'key') ? object.key : other` */
function isGuardedAccess(model: SemanticModel, node: TernaryOperation): boolean {
  const condition = unwrapped(node.condition);
  if (!isCallOf(model, condition, "sys", "contains")) {
    return false;
  }
  const [object, key] = condition.args;
  const value = unwrapped(node.whenTrue);
  if (object === undefined || key === undefined || !("target" in value) || model.hasParseErrors(node)) {
    return false;
  }
  const text = (expression: Expression) => nodeText(model.file.syntax, expression);
  if (text(value.target) !== text(object.expression)) {
    return false;
  }
  const name = key.expression.kind === "StringExpression" ? literalText(key.expression) : undefined;
  switch (value.kind) {
    case "PropertyAccess":
      return value.name.name === name;
    case "ArrayAccess":
      return text(value.index) === text(key.expression);
    default:
      return false;
  }
}
