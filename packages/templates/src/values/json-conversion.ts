import type { JsonValue } from "@rad/core";
import { TemplateError } from "../template-error.ts";
import { nextDepth } from "./equality.ts";
import { isArray, isObject, type Value } from "./value.ts";

/** Takes a document that `JSON.parse` has read; whole numbers become integers. */
export function fromJson(json: JsonValue, depth = 0): Value {
  if (typeof json === "number") {
    return Number.isInteger(json) && Math.abs(json) < 2 ** 63 ? toInteger(json) : json;
  }
  if (typeof json !== "object" || json === null) {
    return json;
  }
  const below = nextDepth(depth);
  if (Array.isArray(json)) {
    return json.map((item) => fromJson(item, below));
  }
  return new Map(Object.entries(json).map(([name, member]) => [name, fromJson(member, below)]));
}

/**
 * A document for `JSON.stringify`. Numeric member names move to the front there, and integers beyond 2^53 have no place;
 * `printJson` writes text that keeps both.
 * @throws TemplateError `IntegerOverflow`, since another number than was meant would be worse than none
 */
export function toJson(value: Value, depth = 0): JsonValue {
  if (typeof value === "bigint") {
    return exactNumber(value);
  }
  if (isArray(value)) {
    const below = nextDepth(depth);
    return value.map((item) => toJson(item, below));
  }
  if (isObject(value)) {
    const below = nextDepth(depth);
    return Object.fromEntries([...value].map(([name, member]) => [name, toJson(member, below)]));
  }
  return value;
}

/** Beyond 2^53 what counts is how the number is written, not what it is to the last bit. */
function toInteger(number: number): bigint {
  return BigInt(Number.isSafeInteger(number) ? number : String(number));
}

function exactNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) && String(number) !== String(value)) {
    const message = "An integer beyond 2^53 would lose digits here; make it a string.";
    throw new TemplateError("IntegerOverflow", message);
  }
  return number;
}
