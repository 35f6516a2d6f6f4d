import { isJsonObject } from "@rad/core";
import type { JsonValue } from "@rad/core";

/** Deeper values equal nothing that a schema can contain. */
const maxDepth = 100;

/** The same text for equal values, whatever the order of their members; `undefined` when nested too deeply. */
export function canonicalJson(value: JsonValue, depth = 0): string | undefined {
  if (depth > maxDepth) {
    return undefined;
  }
  if (Array.isArray(value)) {
    return wrap(
      "[",
      value.map((item) => canonicalJson(item, depth + 1)),
      "]",
    );
  }
  if (isJsonObject(value)) {
    const keys = Object.keys(value).sort();
    const members = keys.map((key) => {
      const member = canonicalJson(value[key] ?? null, depth + 1);
      return member === undefined ? undefined : `${JSON.stringify(key)}:${member}`;
    });
    return wrap("{", members, "}");
  }
  return JSON.stringify(value);
}

function wrap(open: string, parts: readonly (string | undefined)[], close: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(",")}${close}`;
}
