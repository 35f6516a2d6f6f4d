import type { JsonValue } from "@rad/core";
import type { JsonType } from "./schema-node.ts";

export function matchesType(types: ReadonlySet<JsonType>, value: JsonValue): boolean {
  const type = typeOf(value);
  return types.has(type) || (type === "integer" && types.has("number"));
}

export function typeOf(value: JsonValue): JsonType {
  if (value === null) {
    return "null";
  }
  if (Array.isArray(value)) {
    return "array";
  }
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return Number.isInteger(value) ? "integer" : "number";
    default:
      return "object";
  }
}

export function withArticle(type: JsonType): string {
  if (type === "null") {
    return type;
  }
  return `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** JSON Schema counts code points, where a JavaScript string counts UTF-16 units. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) {
    count += 1;
  }
  return count;
}

/** `0.3` is a multiple of `0.1` to people, though not to binary fractions. */
export function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}
