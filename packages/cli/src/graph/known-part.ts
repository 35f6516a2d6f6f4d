import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import { isExpressionText } from "@rad/templates";

/**
 * Leaves out what is not known: texts of expressions stand there. Everything that is left may have further members that only
 * a deployment brings, so all of it is added to `open`.
 */
export function knownPart(value: JsonObject, open: Set<JsonValue>): JsonObject {
  const members = Object.entries(value).flatMap(([name, member]) => {
    const known = knownValue(member, open);
    return known === undefined ? [] : [[name, known] as const];
  });
  const known = Object.fromEntries(members);
  open.add(known);
  return known;
}

function knownValue(value: JsonValue, open: Set<JsonValue>): JsonValue | undefined {
  if (typeof value === "string") {
    return isExpressionText(value) ? undefined : value;
  }
  if (Array.isArray(value)) {
    // A list without one of its items would have others in their place.
    const items = value.map((item) => knownValue(item, open));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  return isJsonObject(value) ? knownPart(value, open) : value;
}
