import type { JsonValue } from "@rad/core";
import { isJsonObject } from "@rad/core";

/**
 * A quoted string that both readers of HCL understand as `text`: the first, which reads the CLI configuration, and the
 * second. `$` and `%` are written as escapes, as either begins a template before a brace.
 */
export function hclString(text: string): string {
  const body = text.replaceAll(/[\\"$%\p{Cc}\u2028\u2029\ufeff]/gu, escaped);
  return `"${body}"`;
}

/** A value as an expression of HCL, in which nothing is evaluated. */
export function hclExpression(value: JsonValue): string {
  if (typeof value === "string") {
    return hclString(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => hclExpression(item)).join(", ")}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, member]) => `${hclString(name)} = ${hclExpression(member)}`);
    return `{${members.join(", ")}}`;
  }
  return JSON.stringify(value);
}

function escaped(character: string): string {
  if (character === "\\" || character === '"') {
    return `\\${character}`;
  }
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
