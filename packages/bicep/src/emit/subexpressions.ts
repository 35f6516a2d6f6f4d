import type { Expression, PropertyAccess, ResourceAccess } from "../syntax/index.ts";

/**
 * Calls `visit` for the expressions directly inside of another, in source order; names and tokens are left out. What
 * an access to a member means depends on the member, so those are the caller's own business.
 */
export function forEachSubexpression(
  node: Exclude<Expression, PropertyAccess | ResourceAccess>,
  visit: (inner: Expression) => void,
): void {
  switch (node.kind) {
    case "StringExpression":
      node.expressions.forEach(visit);
      break;
    case "ObjectExpression":
      for (const element of node.elements) {
        if (element.kind === "ObjectProperty") {
          if (element.key.kind === "StringExpression") {
            visit(element.key);
          }
          visit(element.value);
        } else if (element.kind === "Spread") {
          visit(element.expression);
        }
      }
      break;
    case "ArrayExpression":
      for (const element of node.elements) {
        if (element.kind !== "Skipped") {
          visit(element.kind === "Spread" ? element.expression : element.value);
        }
      }
      break;
    case "ForExpression":
      visit(node.source);
      if (node.body.kind === "IfCondition") {
        visit(node.body.condition);
        visit(node.body.body);
      } else {
        visit(node.body);
      }
      break;
    case "NonNullAssertion":
      visit(node.target);
      break;
    case "ArrayAccess":
      visit(node.target);
      visit(node.index);
      break;
    case "InstanceFunctionCall":
      visit(node.target);
      for (const argument of node.args) {
        visit(argument.expression);
      }
      break;
    case "FunctionCall":
      for (const argument of node.args) {
        visit(argument.expression);
      }
      break;
    case "UnaryOperation":
      visit(node.operand);
      break;
    case "BinaryOperation":
      visit(node.left);
      visit(node.right);
      break;
    case "TernaryOperation":
      visit(node.condition);
      visit(node.whenTrue);
      visit(node.whenFalse);
      break;
    case "ParenthesizedExpression":
      visit(node.expression);
      break;
    case "Lambda":
      visit(node.body);
      break;
    default: // literals and names contain nothing
  }
}
