import { printJson } from "@rad/templates";
import type { Value } from "@rad/templates";
import type { LiteralValue } from "../types/index.ts";
import { call, integer, text } from "./arm-expression.ts";
import type { ArmExpression } from "./arm-expression.ts";
import { printExpression } from "./print-expression.ts";
import type { SizeBudget } from "./size-budget.ts";

/** Text that would be taken for an expression is escaped. */
export function escapeText(value: string): string {
  return value.startsWith("[") && value.endsWith("]") ? `[${value}` : value;
}

/** A member of this name would be taken for a loop. */
const loopMember = "copy";

export function escapeName(name: string): string {
  return name === loopMember ? "[string('copy')]" : escapeText(name);
}

/** What an expression is as a value of the template: literals stay JSON, all else becomes the text of an expression. */
export function valueOfExpression(expression: ArmExpression, budget: SizeBudget): Value {
  switch (expression.kind) {
    case "string":
      return escapeText(expression.value);
    case "integer":
      return expression.value;
    default:
      return printExpression(expression, budget);
  }
}

/** A loaded value as JSON of the template. Only expressions can hold fractions. */
export function valueOfLiteral(literal: LiteralValue, budget: SizeBudget): Value {
  if (typeof literal === "string") {
    return escapeText(literal);
  }
  if (typeof literal === "number") {
    return printExpression(expressionOfLiteral(literal), budget);
  }
  if (typeof literal !== "object" || literal === null) {
    return literal;
  }
  if (isMap(literal)) {
    return new Map(Array.from(literal, ([name, member]) => [escapeName(name), valueOfLiteral(member, budget)]));
  }
  return literal.map((item) => valueOfLiteral(item, budget));
}

/** A loaded value inside of an expression. */
export function expressionOfLiteral(literal: LiteralValue): ArmExpression {
  if (literal === null) {
    return call("null");
  }
  switch (typeof literal) {
    case "string":
      return text(literal);
    case "bigint":
      return integer(literal);
    case "number":
      return call("json", text(printJson(literal)));
    case "boolean":
      return call(literal ? "true" : "false");
    default:
  }
  if (isMap(literal)) {
    const members = Array.from(literal, ([name, member]) => [text(name), expressionOfLiteral(member)]);
    return call("createObject", ...members.flat());
  }
  return call("createArray", ...literal.map(expressionOfLiteral));
}

function isMap(
  literal: readonly LiteralValue[] | ReadonlyMap<string, LiteralValue>,
): literal is ReadonlyMap<string, LiteralValue> {
  return literal instanceof Map;
}
