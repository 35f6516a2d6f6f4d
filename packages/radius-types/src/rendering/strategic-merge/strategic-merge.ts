import { isJsonObject, setMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { isDirective, orderPrefix, patchDirective, removalPrefix, retained, withoutDirectives } from "./directives.ts";
import type { MergeFields } from "./merge-fields.ts";
import { mergeList, orderList } from "./merge-list.ts";
import { PatchError } from "./patch-error.ts";

/**
 * Merges a strategic merge patch into an object, as a Kubernetes API server does. Neither argument is changed.
 * @throws PatchError where the patch is not one.
 */
export function strategicMerge(original: JsonObject, patch: JsonObject, fields: MergeFields): JsonObject {
  return mergeObject(original, patch, { fields, path: "" });
}

interface Place {
  readonly fields: MergeFields;
  /** For messages, with a dot at its end: `containers.web.`. */
  readonly path: string;
}

function mergeObject(original: JsonObject, patch: JsonObject, place: Place): JsonObject {
  const directive = patch[patchDirective];
  if (directive !== undefined) {
    return replaceObject(patch, directive, place.path);
  }
  const result = retained(original, patch, place.path);
  const orders = Object.entries(patch).filter(([name]) => name.startsWith(orderPrefix));
  for (const [name, value] of Object.entries(patch)) {
    if (!isDirective(name)) {
      mergeMember(result, name, value, place);
    }
  }
  for (const [name, value] of orders) {
    orderMember(result, original, patch, { name: name.slice(orderPrefix.length), order: value, place });
  }
  for (const [name, value] of Object.entries(patch)) {
    if (name.startsWith(removalPrefix)) {
      removeItems(result, name.slice(removalPrefix.length), value);
    }
  }
  return result;
}

function replaceObject(patch: JsonObject, directive: JsonValue, path: string): JsonObject {
  if (directive === "delete") {
    return {};
  }
  if (directive !== "replace") {
    throw new PatchError(`${path}${patchDirective} can be 'delete' or 'replace'.`);
  }
  const { [patchDirective]: _directive, ...rest } = patch;
  return withoutDirectives(rest) as JsonObject;
}

function mergeMember(result: JsonObject, name: string, value: JsonValue, { fields, path }: Place): void {
  const current = Object.hasOwn(result, name) ? result[name] : undefined;
  const field = (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? {};
  const below = `${path}${name}.`;
  if (value === null) {
    delete result[name];
  } else if (Array.isArray(value) && Array.isArray(current)) {
    result[name] = mergeList(current, value, { field, path: below, mergeItems: mergeObject });
  } else if (isJsonObject(value) && isJsonObject(current)) {
    setMember(result, name, mergeObject(current, value, { fields: field.fields ?? {}, path: below }));
  } else {
    setMember(result, name, withoutDirectives(value));
  }
}

interface Order {
  readonly name: string;
  readonly order: JsonValue;
  readonly place: Place;
}

function orderMember(result: JsonObject, original: JsonObject, patch: JsonObject, { name, order, place }: Order): void {
  const { fields, path } = place;
  const merged = listOf(result, name);
  if (merged !== undefined) {
    result[name] = orderList(merged, {
      order,
      patch: listOf(patch, name) ?? [],
      original: listOf(original, name) ?? [],
      field: (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? {},
      path: `${path}${name}.`,
    });
  }
}

function removeItems(result: JsonObject, name: string, removed: JsonValue): void {
  const list = listOf(result, name);
  if (list !== undefined && Array.isArray(removed)) {
    result[name] = list.filter((item) => !removed.includes(item));
  }
}

function listOf(object: JsonObject, name: string): JsonValue[] | undefined {
  const list = Object.hasOwn(object, name) ? object[name] : undefined;
  return Array.isArray(list) ? list : undefined;
}
