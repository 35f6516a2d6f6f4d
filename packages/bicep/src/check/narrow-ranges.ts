import { boundsOf, intOf, lengthsOf, TypeFlags, withFlags } from "../types/index.ts";
import type { IntLiteralType, IntType, StringLiteralType, StringType, Type } from "../types/index.ts";
import { levelFor, placeOf } from "./assignment.ts";
import type { Assignment, Value } from "./assignment.ts";
import { checks } from "./diagnostics.ts";

/** Compares the range of an integer with the one that is asked for. Bounds that are not known are never reported. */
export function narrowInt(value: Value, target: IntType | IntLiteralType, assignment: Assignment): Type {
  const given = boundsOf(value.type);
  const wanted = boundsOf(target);
  if (given === undefined || wanted === undefined || target.kind === "intLiteral") {
    return value.type;
  }
  const place = placeOf(value, assignment);
  if (given.min !== undefined && wanted.max !== undefined && given.min > wanted.max) {
    assignment.report(checks.tooHigh(levelFor(target, assignment), place, given.min, wanted.max));
    return target;
  }
  if (given.max !== undefined && wanted.min !== undefined && given.max < wanted.min) {
    assignment.report(checks.tooLow(levelFor(target, assignment), place, given.max, wanted.min));
    return target;
  }
  if (given.min !== undefined && wanted.min !== undefined && given.min < wanted.min) {
    assignment.report(checks.maybeTooLow(place, given.min, wanted.min));
  }
  if (given.max !== undefined && wanted.max !== undefined && given.max > wanted.max) {
    assignment.report(checks.maybeTooHigh(place, given.max, wanted.max));
  }
  return value.type.kind === "intLiteral"
    ? value.type
    : intOf(higher(given.min, wanted.min), lower(given.max, wanted.max), value.type.flags);
}

/** Compares lengths and, where the text is known, the pattern. */
export function narrowString(value: Value, target: StringType | StringLiteralType, assignment: Assignment): Type {
  const { type } = value;
  if (target.kind === "string") {
    narrowLength(value, target, assignment);
    if (target.pattern !== undefined && type.kind === "stringLiteral" && !matches(type.value, target.pattern)) {
      assignment.report(checks.pattern(levelFor(target, assignment), placeOf(value, assignment), target.pattern));
    }
  }
  const secure = target.flags & TypeFlags.Secure;
  return secure === 0 ? type : withFlags(type, type.flags | secure);
}

/** Compares the length of a string or an array; false when it can never fit. */
export function narrowLength(value: Value, target: Type, assignment: Assignment): boolean {
  const given = lengthsOf(value.type);
  const wanted = lengthsOf(target);
  if (given === undefined || wanted === undefined) {
    return true;
  }
  const place = placeOf(value, assignment);
  if (given.min !== undefined && wanted.max !== undefined && given.min > wanted.max) {
    assignment.report(checks.tooLong(levelFor(target, assignment), place, given.min, wanted.max));
    return false;
  }
  if (given.max !== undefined && wanted.min !== undefined && given.max < wanted.min) {
    assignment.report(checks.tooShort(levelFor(target, assignment), place, given.max, wanted.min));
    return false;
  }
  if (given.min !== undefined && wanted.min !== undefined && given.min < wanted.min) {
    assignment.report(checks.maybeTooShort(place, given.min, wanted.min));
  }
  if (given.max !== undefined && wanted.max !== undefined && given.max > wanted.max) {
    assignment.report(checks.maybeTooLong(place, given.max, wanted.max));
  }
  return true;
}

// Texts beyond this are not tried: patterns come from packages and may be slow on long input.
const maxPatternInput = 1024;

function matches(text: string, pattern: string): boolean {
  if (text.length > maxPatternInput) {
    return true;
  }
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true; // a pattern of another dialect decides nothing
  }
}

function higher(left: bigint | undefined, right: bigint | undefined): bigint | undefined {
  if (left === undefined || right === undefined) {
    return left ?? right;
  }
  return left > right ? left : right;
}

function lower(left: bigint | undefined, right: bigint | undefined): bigint | undefined {
  if (left === undefined || right === undefined) {
    return left ?? right;
  }
  return left < right ? left : right;
}
