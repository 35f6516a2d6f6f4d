import {
  anyArray,
  anyType,
  arrayOf,
  boundsOf,
  collapsedUnionOf,
  intOf,
  lengthsOf,
  membersOf,
  nullable,
  nullType,
  objectOf,
  PropertyFlags,
  propertyOf,
  stringType,
  tupleOf,
  unionOf,
} from "../types/index.ts";
import type { Call, CallResult, Range, Type } from "../types/index.ts";
import { callProblems } from "./diagnostics.ts";
import { plain } from "./results.ts";

const { Required } = PropertyFlags;

/** Longer results are plain arrays: doubling an array line by line must not fill the memory. */
const maxTupleItems = 10_000;

/** What the items of an array have in common; `any` for what is not known to be an array. */
export function itemOf(type: Type | undefined): Type {
  if (type === undefined) {
    return anyType;
  }
  const items: Type[] = [];
  for (const member of membersOf(type)) {
    if (member.kind !== "array" && member.kind !== "tuple") {
      return anyType;
    }
    items.push(member.item);
  }
  return unionOf(items);
}

export function firstItem([list]: readonly Type[]): Type {
  return list?.kind === "tuple" ? (list.items[0] ?? nullType) : endItem(list);
}

export function lastItem([list]: readonly Type[]): Type {
  return list?.kind === "tuple" ? (list.items.at(-1) ?? nullType) : endItem(list);
}

/** The arrays one after another. */
export function concatenated(lists: readonly Type[]): Type {
  if (lists.every((list) => list.kind === "tuple")) {
    const count = lists.reduce((sum, list) => sum + list.items.length, 0);
    if (count <= maxTupleItems) {
      return tupleOf(lists.flatMap((list) => list.items));
    }
  }
  let min = 0;
  let max: number | undefined = 0;
  for (const list of lists) {
    const lengths = lengthsOf(list);
    min += lengths?.min ?? 0;
    max = max === undefined || lengths?.max === undefined ? undefined : max + lengths.max;
  }
  return arrayOf(unionOf(lists.map(itemOf)), { minLength: min === 0 ? undefined : min, maxLength: max });
}

export function takenItems([list, count]: readonly Type[]): Type {
  const wanted = countOf(count);
  if (list?.kind === "tuple" && wanted.exact !== undefined) {
    return tupleOf(list.items.slice(0, wanted.exact));
  }
  const lengths = lengthRange(list);
  const longest = Math.min(lengths.max ?? Infinity, wanted.max);
  return arrayOf(itemOf(list), {
    minLength: positive(lengths.min === undefined ? undefined : Math.min(lengths.min, wanted.min)),
    maxLength: longest === Infinity ? undefined : longest,
  });
}

export function skippedItems([list, count]: readonly Type[]): Type {
  const dropped = countOf(count);
  if (list?.kind === "tuple" && dropped.exact !== undefined) {
    return tupleOf(list.items.slice(dropped.exact));
  }
  const lengths = lengthRange(list);
  return arrayOf(itemOf(list), {
    minLength: positive(lengths.min === undefined ? undefined : lengths.min - dropped.max),
    maxLength: lengths.max === undefined ? undefined : Math.max(0, lengths.max - dropped.min),
  });
}

/** The integers that `range` gives, and how many. */
export function integerRange([start, count]: readonly Type[]): Type {
  const from = start === undefined ? undefined : boundsOf(start);
  const number = count === undefined ? undefined : boundsOf(count);
  const most = number?.max;
  const last = from?.max === undefined || most === undefined || most < 1n ? undefined : from.max + most - 1n;
  return arrayOf(intOf(from?.min, last), { minLength: toLength(number?.min), maxLength: toLength(most) });
}

export function lengthOf([value]: readonly Type[]): Type {
  if (value?.kind === "object") {
    const needed = Array.from(value.properties.values()).filter(({ flags }) => (flags & Required) !== 0).length;
    return intOf(BigInt(needed), value.additional === undefined ? BigInt(value.properties.size) : undefined);
  }
  const lengths = value === undefined ? undefined : lengthsOf(value);
  return intOf(BigInt(lengths?.min ?? 0), lengths?.max === undefined ? undefined : BigInt(lengths.max));
}

/** One entry with key and value for each member. */
export function entriesOf([object]: readonly Type[]): Type {
  const value = object?.kind === "object" ? memberType(object) : anyType;
  return arrayOf(objectOf([propertyOf("key", stringType, Required), propertyOf("value", value, Required)]));
}

/** The type that every member of an object has. */
export function memberOf(object: Type | undefined): Type {
  return object?.kind === "object" ? memberType(object) : anyType;
}

/** The items of the inner arrays; BCP309 when an item is something else. */
export function flattened(call: Call): CallResult {
  const [outer] = call.argumentTypes;
  if (outer?.kind === "tuple" && outer.items.every((item) => item.kind === "tuple" || item.kind === "array")) {
    return plain(concatenated(outer.items));
  }
  const items: Type[] = [];
  for (const inner of membersOf(itemOf(outer))) {
    if (inner.kind === "any") {
      return plain(anyArray);
    }
    if (inner.kind !== "array" && inner.kind !== "tuple") {
      return { type: anyArray, problems: [callProblems.cannotFlatten(0, itemOf(outer))] };
    }
    items.push(inner.item);
  }
  return plain(items.length === 0 ? anyArray : arrayOf(unionOf(items)));
}

/** The least of several integers, or of the items of an array. */
export function least(argumentTypes: readonly Type[]): Type {
  const ranges = rangesOf(argumentTypes);
  const min = ranges.every((range) => range.min !== undefined) ? lowest(ranges.map((range) => range.min)) : undefined;
  return intOf(min, lowest(ranges.map((range) => range.max)));
}

/** The greatest of several integers, or of the items of an array. */
export function greatest(argumentTypes: readonly Type[]): Type {
  const ranges = rangesOf(argumentTypes);
  const max = ranges.every((range) => range.max !== undefined) ? highest(ranges.map((range) => range.max)) : undefined;
  return intOf(highest(ranges.map((range) => range.min)), max);
}

/** A range for each of the integers; the items of an array share one. */
function rangesOf(argumentTypes: readonly Type[]): Range<bigint>[] {
  const [first] = argumentTypes;
  let numbers = argumentTypes;
  if (first?.kind === "tuple") {
    numbers = first.items;
  } else if (first?.kind === "array") {
    numbers = [first.item];
  }
  return numbers.map((type) => boundsOf(type) ?? { min: undefined, max: undefined });
}

function lowest(bounds: readonly (bigint | undefined)[]): bigint | undefined {
  let best: bigint | undefined;
  for (const bound of bounds) {
    if (bound !== undefined && (best === undefined || bound < best)) {
      best = bound;
    }
  }
  return best;
}

function highest(bounds: readonly (bigint | undefined)[]): bigint | undefined {
  let best: bigint | undefined;
  for (const bound of bounds) {
    if (bound !== undefined && (best === undefined || bound > best)) {
      best = bound;
    }
  }
  return best;
}

function endItem(list: Type | undefined): Type {
  const item = itemOf(list);
  const surelyThere = list !== undefined && membersOf(list).every((member) => (lengthsOf(member)?.min ?? 0) > 0);
  return surelyThere ? item : nullable(item);
}

function memberType(object: Extract<Type, { kind: "object" }>): Type {
  const types = Array.from(object.properties.values(), (property) => property.type);
  if (object.additional !== undefined) {
    types.push(object.additional.type);
  }
  return types.length === 0 ? anyType : collapsedUnionOf(types);
}

function lengthRange(type: Type | undefined): Range<number> {
  return (type === undefined ? undefined : lengthsOf(type)) ?? { min: undefined, max: undefined };
}

/** How many items are meant; negative counts mean none. */
function countOf(type: Type | undefined): { min: number; max: number; exact: number | undefined } {
  const bounds = type === undefined ? undefined : boundsOf(type);
  const min = bounds?.min === undefined ? 0 : Math.max(0, Number(bounds.min));
  const max = bounds?.max === undefined ? Infinity : Math.max(0, Number(bounds.max));
  return { min, max, exact: min === max ? min : undefined };
}

function positive(length: number | undefined): number | undefined {
  return length === undefined || length <= 0 ? undefined : length;
}

function toLength(count: bigint | undefined): number | undefined {
  return count === undefined ? undefined : Math.max(0, Number(count));
}
