import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { directiveList, patchDirective, withoutDirectives } from "./directives.ts";
import { arranged } from "./list-order.ts";
import type { MergeField, MergeFields } from "./merge-fields.ts";
import { PatchError } from "./patch-error.ts";

/** How the caller merges two items that are the same one. */
export type MergeItems = (
  original: JsonObject,
  patch: JsonObject,
  options: { readonly fields: MergeFields; readonly path: string },
) => JsonObject;

export interface ListOptions {
  readonly field: MergeField;
  /** For messages, with a dot at its end: `containers.`. */
  readonly path: string;
  readonly mergeItems: MergeItems;
}

/** A list with a patch of it merged in. Lists without a key are replaced. */
export function mergeList(
  original: readonly JsonValue[],
  patch: readonly JsonValue[],
  options: ListOptions,
): JsonValue[] {
  const { key } = options.field;
  if (key === undefined) {
    return withoutDirectives([...patch]) as JsonValue[];
  }
  return mergeKeyedList(itemsOf(original, key, options.path), itemsOf(patch, key, options.path), key, options);
}

function mergeKeyedList(
  original: readonly JsonObject[],
  patch: readonly JsonObject[],
  key: string,
  options: ListOptions,
): JsonValue[] {
  const { field, path, mergeItems } = options;
  const { deleted, isReplaced } = readSpecialItems(patch, key, path);
  const items = patch.filter((item) => !Object.hasOwn(item, patchDirective));
  if (isReplaced) {
    return withoutDirectives(items) as JsonValue[];
  }
  const merged = original.filter((item) => !deleted.has(item[key]));
  const left = [...merged];
  for (const item of items) {
    const index = merged.findIndex((other) => other[key] === item[key]);
    const found = merged[index];
    if (found === undefined) {
      merged.push(withoutDirectives(item) as JsonObject);
    } else {
      merged[index] = mergeItems(found, item, {
        fields: field.fields ?? {},
        path: `${path}${JSON.stringify(item[key])}.`,
      });
    }
  }
  return arranged(merged, items, left, key);
}

interface SpecialItems {
  readonly deleted: ReadonlySet<JsonValue | undefined>;
  readonly isReplaced: boolean;
}

/** Items with `$patch`: each deletes its namesake, or all that were there. */
function readSpecialItems(patch: readonly JsonObject[], key: string, path: string): SpecialItems {
  const deleted = new Set<JsonValue | undefined>();
  let isReplaced = false;
  for (const item of patch) {
    if (!Object.hasOwn(item, patchDirective)) {
      continue;
    }
    switch (item[patchDirective]) {
      case "delete":
        deleted.add(item[key]);
        break;
      case "replace":
        isReplaced = true;
        break;
      default:
        throw new PatchError(`${path}${patchDirective} of an item can be 'delete' or 'replace'.`);
    }
  }
  return { deleted, isReplaced };
}

function itemsOf(list: readonly JsonValue[], key: string, path: string): JsonObject[] {
  const items = list.filter(isJsonObject);
  const isWhole = items.length === list.length;
  if (!isWhole || items.some((item) => item[patchDirective] !== "replace" && !Object.hasOwn(item, key))) {
    throw new PatchError(`every item of ${path.slice(0, -1)} has to be an object with the member '${key}'.`);
  }
  return items;
}

/** Puts a merged list into the order that `$setElementOrder` asks for. */
export function orderList(
  merged: readonly JsonValue[],
  { order, patch, original, field, path }: OrderOptions,
): JsonValue[] {
  const items = directiveList("$setElementOrder", order, path);
  const position = (item: JsonValue): number =>
    items.findIndex((other) => identity(other, field) === identity(item, field));
  const positions = patch.filter((item) => !isJsonObject(item) || !(patchDirective in item)).map(position);
  if (items.length > 0 && positions.some((at, index) => at < 0 || at < (positions[index - 1] ?? 0))) {
    throw new PatchError(`the items of ${path.slice(0, -1)} are in another order than $setElementOrder has them.`);
  }
  return arranged(merged, items, original, field.key);
}

export interface OrderOptions {
  readonly order: JsonValue;
  readonly patch: readonly JsonValue[];
  readonly original: readonly JsonValue[];
  readonly field: MergeField;
  readonly path: string;
}

function identity(item: JsonValue, { key }: MergeField): JsonValue | undefined {
  return key !== undefined && isJsonObject(item) ? item[key] : item;
}
