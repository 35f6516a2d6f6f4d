import { boundsOf, intOf, isAssignable, lengthsOf, membersOf, stringOf, stringType } from "../types/index.ts";
import type { Range, Type } from "../types/index.ts";

// Sharper types for strings whose content is not known but whose length is bounded.

/** Same length as the first argument. */
export function sameLength([text]: readonly Type[]): Type {
  const lengths = stringLengths(text);
  return stringOf({ minLength: lengths.min, maxLength: lengths.max });
}

/** At most as long as the first argument. */
export function notLonger([text]: readonly Type[]): Type {
  return stringOf({ maxLength: stringLengths(text).max });
}

export function padded([text, total]: readonly Type[]): Type {
  const lengths = stringLengths(text);
  const width = total === undefined ? undefined : boundsOf(total);
  return stringOf({
    minLength: largest(lengths.min ?? 0, toNumber(width?.min) ?? 0),
    maxLength: largestKnown(lengths.max, toNumber(width?.max)),
  });
}

/** One character, or none when the text may be empty. */
export function oneCharacter([text]: readonly Type[]): Type {
  return stringOf({ minLength: (stringLengths(text).min ?? 0) > 0 ? 1 : undefined, maxLength: 1 });
}

/** `take` of a string: no longer than asked for. */
export function taken([text, count]: readonly Type[]): Type {
  const lengths = stringLengths(text);
  const wanted = count === undefined ? undefined : boundsOf(count);
  const most = toNumber(wanted?.max);
  const least = toNumber(wanted?.min);
  return stringOf({
    minLength: least === undefined || lengths.min === undefined ? undefined : Math.max(0, Math.min(least, lengths.min)),
    maxLength: smallestKnown(lengths.max, most === undefined ? undefined : Math.max(0, most)),
  });
}

/** `skip` of a string. */
export function skipped([text, count]: readonly Type[]): Type {
  const lengths = stringLengths(text);
  const wanted = count === undefined ? undefined : boundsOf(count);
  return stringOf({
    minLength: remaining(lengths.min, toNumber(wanted?.max)),
    maxLength: remaining(lengths.max, Math.max(0, toNumber(wanted?.min) ?? 0)),
  });
}

/** `substring`: exactly as long as asked for, when that is said. */
export function cut([text, start, length]: readonly Type[]): Type {
  const wanted = length === undefined ? undefined : boundsOf(length);
  if (wanted !== undefined) {
    return stringOf({
      minLength: toNumber(wanted.min),
      maxLength: toNumber(wanted.max) ?? stringLengths(text).max,
    });
  }
  return length === undefined && text !== undefined && start !== undefined ? skipped([text, start]) : stringType;
}

/** Where a substring may start: within the text. */
export function startWithin([text]: readonly Type[]): Type {
  return intOf(0n, toBigInt(stringLengths(text).max));
}

/** How long a substring may be: what is left of the text. */
export function lengthWithin([text, start]: readonly Type[]): Type {
  const first = start === undefined ? undefined : boundsOf(start)?.min;
  return intOf(0n, toBigInt(remaining(stringLengths(text).max, toNumber(first) ?? 0)));
}

/** The position of an occurrence, or -1. */
export function positionIn([searched]: readonly Type[]): Type {
  const longest = searched === undefined ? undefined : lengthsOf(searched)?.max;
  return intOf(-1n, longest === undefined ? undefined : BigInt(Math.max(longest - 1, -1)));
}

/** The lengths of a string, or of all members of a union of strings. */
function stringLengths(type: Type | undefined): Range<number> {
  if (type === undefined || !isAssignable(type, stringType) || type.kind === "any") {
    return { min: undefined, max: undefined };
  }
  let min: number | undefined = Infinity;
  let max: number | undefined = 0;
  for (const member of membersOf(type)) {
    const lengths = lengthsOf(member);
    min = min === undefined || lengths?.min === undefined ? undefined : Math.min(min, lengths.min);
    max = largestKnown(max, lengths?.max);
  }
  return { min: min === Infinity ? undefined : min, max };
}

function remaining(length: number | undefined, dropped: number | undefined): number | undefined {
  return length === undefined || dropped === undefined ? undefined : Math.max(0, length - Math.max(0, dropped));
}

function largest(left: number, right: number): number | undefined {
  return Math.max(left, right) > 0 ? Math.max(left, right) : undefined;
}

function largestKnown(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : Math.max(left, right);
}

function smallestKnown(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined) {
    return right;
  }
  return right === undefined ? left : Math.min(left, right);
}

function toNumber(value: bigint | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function toBigInt(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}
