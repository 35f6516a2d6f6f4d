import type { Node } from "../syntax/index.ts";
import { forEachChild } from "../syntax/index.ts";
import type { Checker } from "./checker.ts";
import { checks } from "./diagnostics.ts";

/** Reports what cannot be known when the file is compiled: the outermost such node of each branch. */
export function checkConstant(checker: Checker, node: Node): boolean {
  switch (node.kind) {
    case "VariableAccess":
    case "PropertyAccess":
    case "ArrayAccess":
    case "ResourceAccess":
    case "FunctionCall":
    case "InstanceFunctionCall":
    case "NonNullAssertion":
    case "BinaryOperation":
    case "TernaryOperation":
    case "ParenthesizedExpression":
    case "ForExpression":
      checker.report(checks.notConstant(node));
      return false;
    case "UnaryOperation":
      if (node.operator === "!") {
        checker.report(checks.notConstant(node));
        return false;
      }
      return checkConstant(checker, node.operand);
    case "StringExpression":
      if (node.expressions.length > 0) {
        checker.report(checks.notConstant(node));
        return false;
      }
      return true;
    case "ObjectExpression":
    case "ArrayExpression":
    case "ObjectProperty":
    case "ArrayItem":
    case "Spread": {
      let isConstant = true;
      forEachChild(node, (child) => {
        isConstant = checkConstant(checker, child) && isConstant;
      });
      return isConstant;
    }
    default:
      return true;
  }
}
