import type { Type } from "./model.ts";

/** A closed range; a missing end is unbounded. */
export interface Range<T extends bigint | number> {
  readonly min: T | undefined;
  readonly max: T | undefined;
}

/** Lengths within what numbers can count; sums of lengths may leave that. */
export function countable(range: {
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
}): { readonly minLength: number | undefined; readonly maxLength: number | undefined } {
  const { minLength, maxLength } = range;
  const { MAX_SAFE_INTEGER } = Number;
  return {
    minLength: minLength === undefined ? undefined : Math.min(minLength, MAX_SAFE_INTEGER),
    maxLength: maxLength === undefined || maxLength > MAX_SAFE_INTEGER ? undefined : maxLength,
  };
}

/** The lengths that strings, arrays and tuples of this type have. */
export function lengthsOf(type: Type): Range<number> | undefined {
  switch (type.kind) {
    case "string":
    case "array":
      return { min: type.minLength, max: type.maxLength };
    case "stringLiteral":
      return { min: type.value.length, max: type.value.length };
    case "tuple":
      return { min: type.items.length, max: type.items.length };
    default:
      return undefined;
  }
}

/** The integers of this type. */
export function boundsOf(type: Type): Range<bigint> | undefined {
  switch (type.kind) {
    case "int":
      return { min: type.min, max: type.max };
    case "intLiteral":
      return { min: type.value, max: type.value };
    default:
      return undefined;
  }
}

export function covers<T extends bigint | number>(outer: Range<T>, inner: Range<T>): boolean {
  return (
    (outer.min === undefined || (inner.min !== undefined && outer.min <= inner.min)) &&
    (outer.max === undefined || (inner.max !== undefined && outer.max >= inner.max))
  );
}

/** The fewest ranges that hold the same numbers: those that overlap or touch become one. */
export function mergeRanges<T extends bigint | number>(ranges: readonly Range<T>[], next: (value: T) => T): Range<T>[] {
  const sorted = ranges.toSorted((left, right) => compareLow(left.min, right.min));
  const merged: Range<T>[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || !touches(last, range, next)) {
      merged.push(range);
    } else if (last.max !== undefined && (range.max === undefined || range.max > last.max)) {
      merged[merged.length - 1] = { min: last.min, max: range.max };
    }
  }
  return merged;
}

function touches<T extends bigint | number>(lower: Range<T>, upper: Range<T>, next: (value: T) => T): boolean {
  return lower.max === undefined || upper.min === undefined || upper.min <= lower.max || upper.min === next(lower.max);
}

function compareLow<T extends bigint | number>(left: T | undefined, right: T | undefined): number {
  if (left === right) {
    return 0;
  }
  if (left === undefined) {
    return -1;
  }
  return right === undefined || left > right ? 1 : -1;
}
