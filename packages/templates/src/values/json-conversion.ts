import type { JsonObject, JsonValue } from "@rad/core";
import { Budget } from "../budget.ts";
import { type Pausing, withoutPause } from "../pausing.ts";
import { TemplateError } from "../template-error.ts";
import { nextDepth } from "./equality.ts";
import { isArray, isObject, type Value } from "./value.ts";

/** Looking for a name without regard to letter case goes through all of them at once. */
const maxMembers = 100_000;

/** Takes a document that `JSON.parse` has read; whole numbers become integers. */
export function fromJson(json: JsonValue, budget: Budget = new Budget(Infinity)): Value {
  return isContainer(json) ? withoutPause(fromJsonPausing(json, budget)) : scalarFromJson(json);
}

/** The same with pauses. Every value costs a step. */
export function* fromJsonPausing(json: JsonValue, budget: Budget, depth = 0): Pausing<Value> {
  if (!isContainer(json)) {
    return scalarFromJson(json);
  }
  const below = nextDepth(depth);
  if (Array.isArray(json)) {
    const items: Value[] = [];
    for (const item of json) {
      budget.spend(1);
      if (budget.isDue) {
        yield budget;
      }
      items.push(isContainer(item) ? yield* fromJsonPausing(item, budget, below) : scalarFromJson(item));
    }
    return items;
  }
  const names = Object.keys(json);
  if (names.length > maxMembers) {
    throw new TemplateError("LimitExceeded", `An object has at most ${maxMembers} members, not ${names.length}.`);
  }
  const members = new Map<string, Value>();
  for (const name of names) {
    const member = json[name] ?? null;
    budget.spend(2);
    if (budget.isDue) {
      yield budget;
    }
    members.set(name, isContainer(member) ? yield* fromJsonPausing(member, budget, below) : scalarFromJson(member));
  }
  return members;
}

function isContainer(json: JsonValue): json is JsonValue[] | JsonObject {
  return typeof json === "object" && json !== null;
}

function scalarFromJson(json: string | number | boolean | null): Value {
  if (typeof json !== "number") {
    return json;
  }
  return Number.isInteger(json) && Math.abs(json) < 2 ** 63 ? toInteger(json) : json;
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

/** What becomes of a value that has no parts. */
export function scalarToJson(value: string | bigint | number | boolean | null): JsonValue {
  return typeof value === "bigint" ? exactNumber(value) : value;
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
