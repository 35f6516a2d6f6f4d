import type { JsonValue } from "@rad/core";
import { charactersPerStep, type Place, report, type Run, spend } from "./check-run.ts";
import type { Shape } from "./schema-node.ts";
import { countCharacters, isMultiple, matchesType, plural, typeOf, withArticle } from "./value-facts.ts";

const maxDepth = 100;
/** A match costs up to 0.1 µs per character and instruction where RE2 has no automaton for it, mostly far less. */
const matchesPerStep = 4;

/** Most values are neither objects nor lists, and hardly any schema has alternatives: no pause is needed for those. */
export function isSimple({ allowed, allOf, anyOf, oneOf, not }: Shape, value: JsonValue): boolean {
  return (
    (typeof value !== "object" || value === null) &&
    allowed === undefined &&
    allOf.length + anyOf.length + oneOf.length === 0 &&
    not === undefined
  );
}

export function checkSimple(shape: Shape, value: JsonValue, place: Place, run: Run): void {
  if (!checkKind(shape, value, place, run)) {
    return;
  }
  if (typeof value === "string") {
    checkText(shape, value, place, run);
  } else if (typeof value === "number") {
    checkNumber(shape, value, place, run);
  }
}

/** The first things to look at; `false` when there is no sense in looking further. */
export function checkKind(shape: Shape, value: JsonValue, place: Place, run: Run): boolean {
  if (run.problems.length >= run.maxProblems || !spend(run, 1)) {
    return false;
  }
  if (place.depth > maxDepth) {
    report(run, place, `is nested more than ${maxDepth} levels deep.`);
    return false;
  }
  if (value === null && shape.nullable) {
    return false;
  }
  if (shape.types !== undefined && !matchesType(shape.types, value)) {
    report(run, place, `must be ${[...shape.types].map(withArticle).join(" or ")}, not ${withArticle(typeOf(value))}.`);
    return false;
  }
  return true;
}

export function checkText(shape: Shape, value: string, place: Place, run: Run): void {
  const { minLength, maxLength, pattern, format } = shape;
  if (!spend(run, value.length / charactersPerStep)) {
    return;
  }
  if (minLength !== undefined || maxLength !== undefined) {
    const length = countCharacters(value);
    if (minLength !== undefined && length < minLength) {
      report(run, place, `must have at least ${plural(minLength, "character")}.`);
    }
    if (maxLength !== undefined && length > maxLength) {
      report(run, place, `must have at most ${plural(maxLength, "character")}.`);
    }
  }
  if (pattern !== undefined && spend(run, (value.length * pattern.size) / matchesPerStep) && !pattern.test(value)) {
    report(run, place, `must match the pattern ${pattern.source}`);
  }
  if (format?.applies === "string" && !format.test(value)) {
    report(run, place, `must be a valid ${format.name}.`);
  }
}

export function checkNumber(shape: Shape, value: number, place: Place, run: Run): void {
  const { minimum, maximum, multipleOf, format } = shape;
  if (minimum !== undefined && (minimum.exclusive ? value <= minimum.value : value < minimum.value)) {
    report(run, place, `must be ${minimum.exclusive ? "greater than" : "at least"} ${minimum.value}.`);
  }
  if (maximum !== undefined && (maximum.exclusive ? value >= maximum.value : value > maximum.value)) {
    report(run, place, `must be ${maximum.exclusive ? "less than" : "at most"} ${maximum.value}.`);
  }
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    report(run, place, `must be a multiple of ${multipleOf}.`);
  }
  if (format?.applies === "number" && !format.test(value)) {
    report(run, place, `must be a valid ${format.name}.`);
  }
}
