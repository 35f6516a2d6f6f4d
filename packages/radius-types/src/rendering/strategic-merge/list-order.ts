import { isJsonObject } from "@rad/core";
import type { JsonValue } from "@rad/core";

/**
 * The items of a merged list in Kubernetes' order: those that `first` names come in its order, the others in the order of
 * `original`, and the two are woven together so that an item goes ahead of one of `first` only if it did in `original`.
 */
export function arranged(
  merged: readonly JsonValue[],
  first: readonly JsonValue[],
  original: readonly JsonValue[],
  key: string | undefined,
): JsonValue[] {
  const identity = (item: JsonValue): JsonValue | undefined =>
    key !== undefined && isJsonObject(item) ? item[key] : item;
  const before = positions(original.map(identity));
  const wanted = positions(first.map(identity));
  const at = (places: Positions, item: JsonValue): number => places.get(identity(item)) ?? -1;
  const named = merged.filter((item) => at(wanted, item) >= 0).sort((a, b) => at(wanted, a) - at(wanted, b));
  const others = merged.filter((item) => at(wanted, item) < 0).sort((a, b) => at(before, a) - at(before, b));

  const result: JsonValue[] = [];
  for (const item of named) {
    const limit = at(before, item);
    const next = others.findIndex((other) => limit < 0 || at(before, other) >= limit);
    result.push(...others.splice(0, next < 0 ? others.length : next), item);
  }
  return [...result, ...others];
}

type Positions = ReadonlyMap<JsonValue | undefined, number>;

/** Where each item is first. */
function positions(items: readonly (JsonValue | undefined)[]): Positions {
  const places = new Map<JsonValue | undefined, number>();
  items.forEach((item, index) => {
    if (!places.has(item)) {
      places.set(item, index);
    }
  });
  return places;
}
