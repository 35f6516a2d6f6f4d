import { Pace } from "./main-thread.ts";
import { pauseAfter } from "./pause-after.ts";
import type { Sliced } from "./sliced.ts";

/** Native printing of so many values takes well below a millisecond. */
const fewValues = 1_000;
const charactersPerStep = 64;

/**
 * Prints what `JSON.stringify` prints, in slices where it is much. Never with indentation: a list of numbers below many
 * brackets would be mostly blanks.
 */
export function* printJson(value: unknown): Sliced<string> {
  if (
    typeof value !== "object" ||
    value === null ||
    (yield* pauseAfter(() => countUpTo(fewValues, value))) < fewValues
  ) {
    return JSON.stringify(value) ?? "null";
  }
  const parts: string[] = [];
  yield* printInto(parts, value, new Pace());
  return parts.join("");
}

function* printInto(parts: string[], value: unknown, pace: Pace): Sliced<void> {
  if (Array.isArray(value)) {
    parts.push("[");
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) {
        parts.push(",");
      }
      yield* printMember(parts, value[index], pace);
    }
    parts.push("]");
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  let separator = "{";
  for (const name of yield* pauseAfter(() => Object.keys(members))) {
    const member = members[name];
    if (member !== undefined) {
      parts.push(separator, JSON.stringify(name), ":");
      separator = ",";
      yield* printMember(parts, member, pace);
    }
  }
  parts.push(separator === "{" ? "{}" : "}");
}

function* printMember(parts: string[], value: unknown, pace: Pace): Sliced<void> {
  let steps = 1;
  if (typeof value === "object" && value !== null && !("toJSON" in value)) {
    yield* printInto(parts, value, pace);
  } else {
    const text = JSON.stringify(value) ?? "null";
    parts.push(text);
    steps += text.length / charactersPerStep;
  }
  const pause = pace.spend(steps);
  if (pause !== undefined) {
    yield pause;
  }
}

/** How many values there are, a long text counting as several, but no more than `most`. */
function countUpTo(most: number, value: unknown): number {
  if (typeof value !== "object" || value === null) {
    return typeof value === "string" ? 1 + value.length / charactersPerStep : 1;
  }
  let count = 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && count < most; index += 1) {
      count += countUpTo(most - count, value[index]);
    }
    return count;
  }
  for (const name in value) {
    count += countUpTo(most - count, (value as Readonly<Record<string, unknown>>)[name]);
    if (count >= most) {
      break;
    }
  }
  return count;
}
