import type { Expression } from "./expression.ts";

/** The expression as a JSON string of a template, brackets included; parsing it gives the expression back. */
export function printExpression(expression: Expression): string {
  return `[${print(expression)}]`;
}

/** A literal as a JSON string of a template: what would be taken for an expression is escaped. */
export function printLiteral(text: string): string {
  return text.startsWith("[") && text.endsWith("]") ? `[${text}` : text;
}

function print(expression: Expression): string {
  switch (expression.kind) {
    case "string":
      return `'${expression.value.replaceAll("'", "''")}'`;
    case "integer":
      return expression.value.toString();
    case "call": {
      const name = expression.namespace === undefined ? expression.name : `${expression.namespace}.${expression.name}`;
      return `${name}(${expression.args.map(print).join(", ")})`;
    }
    case "property":
      return `${print(expression.base)}.${expression.name}`;
    case "index":
      return `${print(expression.base)}[${print(expression.index)}]`;
    default:
      return expression satisfies never;
  }
}
