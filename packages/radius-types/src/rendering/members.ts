import { isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";

/** A member that is a text; an empty one counts as absent. */
export function textMember(object: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberMember(object: JsonObject, name: string): number | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "number" ? value : undefined;
}

/** The objects of a member that is a list. */
export function listMember(object: JsonObject, name: string): readonly JsonObject[] {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The members of an object that are objects, sorted by name, so that rendering does not depend on their order. */
export function sortedMembers(object: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(object)
    .filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}
