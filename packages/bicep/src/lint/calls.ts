import type { SemanticModel } from "../semantics/index.ts";
import type { Expression, FunctionCall, InstanceFunctionCall, Node } from "../syntax/index.ts";

export type Call = FunctionCall | InstanceFunctionCall;

/** Whether a call is one of a built-in function, with or without its namespace in front. */
export function isCallOf(model: SemanticModel, node: Node, namespace: "sys" | "az", name: string): node is Call {
  if ((node.kind !== "FunctionCall" && node.kind !== "InstanceFunctionCall") || node.name.name !== name) {
    return false;
  }
  const symbol = model.symbolOf(node);
  return symbol?.kind === "builtInFunction" && symbol.namespace.name === namespace;
}

/** Whether a call asks Azure for keys and the like: `listKeys(..)`, `az.listKeys(..)`, `resource.listKeys()`. */
export function isListCall(model: SemanticModel, node: Node): node is Call {
  if (node.kind !== "FunctionCall" && node.kind !== "InstanceFunctionCall") {
    return false;
  }
  if (!node.name.name.startsWith("list")) {
    return false;
  }
  const symbol = model.symbolOf(node);
  if (symbol !== undefined) {
    return symbol.kind === "builtInFunction" && symbol.namespace.name === "az";
  }
  return node.kind === "InstanceFunctionCall" && model.typeOf(node.target).kind === "resource";
}

/** An expression without the parentheses around it. */
export function unwrapped(expression: Expression): Expression {
  let at = expression;
  while (at.kind === "ParenthesizedExpression") {
    at = at.expression;
  }
  return at;
}
