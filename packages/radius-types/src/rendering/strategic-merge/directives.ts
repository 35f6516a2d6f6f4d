import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { PatchError } from "./patch-error.ts";

/** Members of a patch that say how to merge, instead of what. */
export const patchDirective = "$patch";
const retainKeys = "$retainKeys";
export const orderPrefix = "$setElementOrder/";
export const removalPrefix = "$deleteFromPrimitiveList/";

export function isDirective(name: string): boolean {
  return (
    name === patchDirective || name === retainKeys || name.startsWith(orderPrefix) || name.startsWith(removalPrefix)
  );
}

/**
 * What is left of a value that nothing was there to merge with: no directives, no `null`, no items to delete. An API
 * server keeps items with `$patch: delete` here, without the directive, and so creates what should go.
 */
export function withoutDirectives(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.filter((item) => !isSpecial(item)).map(withoutDirectives);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const kept = Object.entries(value).filter(
    ([name, member]) => member !== null && !isDirective(name) && !isSpecial(member),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutDirectives(member)]));
}

function isSpecial(value: JsonValue): boolean {
  return isJsonObject(value) && Object.hasOwn(value, patchDirective);
}

/** The list that a directive has to be. */
export function directiveList(name: string, value: JsonValue | undefined, path: string): JsonValue[] {
  if (!Array.isArray(value)) {
    throw new PatchError(`${path}${name} has to be a list.`);
  }
  return value;
}

/** The members that `$retainKeys` leaves of an object; all of them without the directive. */
export function retained(original: JsonObject, patch: JsonObject, path: string): JsonObject {
  if (!Object.hasOwn(patch, retainKeys)) {
    return { ...original };
  }
  const names = new Set(directiveList(retainKeys, patch[retainKeys], path));
  for (const [name, value] of Object.entries(patch)) {
    if (value !== null && !isDirective(name) && !names.has(name)) {
      throw new PatchError(`${path}${name} is in the patch, and missing in ${path}${retainKeys}.`);
    }
  }
  return Object.fromEntries(Object.entries(original).filter(([name]) => names.has(name)));
}
