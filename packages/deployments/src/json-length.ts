import type { JsonValue } from "@rad/core";

/** About as many characters as the value has as JSON: brackets, commas and short words are counted alike. */
export function jsonLength(value: JsonValue | undefined): number {
  if (typeof value === "string") {
    return value.length + 3;
  }
  if (typeof value !== "object" || value === null) {
    return 6;
  }
  let length = 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      length += jsonLength(item);
    }
    return length;
  }
  for (const [name, member] of Object.entries(value)) {
    length += name.length + 4 + jsonLength(member);
  }
  return length;
}
