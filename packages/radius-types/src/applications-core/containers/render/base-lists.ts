import type { JsonObject } from "@rad/core";

/** A list of the base manifest followed by ours. An item of ours replaces those with the same value of `key`. */
export function appended(base: readonly JsonObject[], ours: readonly JsonObject[], key: string): JsonObject[] {
  const keys = new Set(ours.map((item) => item[key]));
  return [...base.filter((item) => !keys.has(item[key])), ...ours];
}

/** A member that is left out when its list is empty. */
export function listOrNothing(name: string, list: readonly JsonObject[]): JsonObject {
  return list.length === 0 ? {} : { [name]: [...list] };
}
