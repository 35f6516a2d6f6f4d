import type { JsonObject, JsonValue } from "@rad/core";
import type { Budget } from "../budget.ts";
import { type Pausing, withoutPause } from "../pausing.ts";
import { scalarToJson } from "../values/json-conversion.ts";
import { nextDepth } from "../values/equality.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import { defineMember } from "./define-member.ts";
import { PlanProblem } from "./plan-problem.ts";

/**
 * Values share their parts, so a small expression can stand for a document that fills the memory. It is measured
 * while it is written out.
 */
export function* toMeasuredJson(value: Value, maxLength: number, budget: Budget, path?: string): Pausing<JsonValue> {
  return yield* convert(value, new JsonRoom(maxLength, path), budget, 0);
}

/** The same as a part of something that does not pause. */
export function toSmallJson(value: Value, maxLength: number, budget: Budget): JsonValue {
  return withoutPause(toMeasuredJson(value, maxLength, budget));
}

export function* checkLength(value: Value, maxLength: number, budget: Budget, path?: string): Pausing<void> {
  yield* measure(value, new JsonRoom(maxLength, path), budget);
}

/** Values that one document will hold. Together they must not be longer than one of them may be. */
export class SharedRoom {
  readonly #budget: Budget;
  readonly #room: JsonRoom;

  constructor(maxLength: number, budget: Budget) {
    this.#budget = budget;
    this.#room = new JsonRoom(maxLength, undefined, "This and the values before it have");
  }

  *toJson(value: Value, path: string): Pausing<JsonValue> {
    this.#room.path = path;
    return yield* convert(value, this.#room, this.#budget, 0);
  }
}

/** Characters of JSON that are left, about. */
class JsonRoom {
  path: string | undefined;
  readonly #what: string;
  readonly #maxLength: number;
  #left: number;

  constructor(maxLength: number, path: string | undefined, what = "The value has") {
    this.#maxLength = maxLength;
    this.#left = maxLength;
    this.path = path;
    this.#what = what;
  }

  take(length: number): void {
    this.#left -= length;
    if (this.#left < 0) {
      const message = `${this.#what} more than ${this.#maxLength} characters as JSON.`;
      throw new PlanProblem("SizeExceeded", message, this.path);
    }
  }
}

/** Brackets, commas and short words. */
const partLength = 4;

function* convert(value: Value, room: JsonRoom, budget: Budget, depth: number): Pausing<JsonValue> {
  room.take(partLength);
  if (isArray(value)) {
    const below = nextDepth(depth);
    const items: JsonValue[] = [];
    for (const item of value) {
      if (budget.isDue) {
        yield budget;
      }
      budget.spend(1);
      items.push(hasParts(item) ? yield* convert(item, room, budget, below) : scalar(item, room));
    }
    return items;
  }
  if (!isObject(value)) {
    return scalar(value, room);
  }
  const below = nextDepth(depth);
  const members: JsonObject = {};
  for (const [name, member] of value) {
    if (budget.isDue) {
      yield budget;
    }
    budget.spend(1);
    room.take(name.length);
    const json = hasParts(member) ? yield* convert(member, room, budget, below) : scalar(member, room);
    if (name === "__proto__") {
      defineMember<JsonValue>(members, name, json);
    } else {
      members[name] = json;
    }
  }
  return members;
}

function hasParts(value: Value): value is readonly Value[] | ObjectValue {
  return isArray(value) || isObject(value);
}

function scalar(value: Exclude<Value, readonly Value[] | ObjectValue>, room: JsonRoom): JsonValue {
  room.take(partLength + (typeof value === "string" ? value.length : 0));
  return scalarToJson(value);
}

function* measure(value: Value, room: JsonRoom, budget: Budget): Pausing<void> {
  room.take(partLength + (typeof value === "string" ? value.length : 0));
  if (isArray(value)) {
    for (const item of value) {
      if (budget.isDue) {
        yield budget;
      }
      budget.spend(1);
      if (hasParts(item)) {
        yield* measure(item, room, budget);
      } else {
        room.take(partLength + (typeof item === "string" ? item.length : 0));
      }
    }
  } else if (isObject(value)) {
    for (const [name, member] of value) {
      room.take(name.length);
      yield* measure(member, room, budget);
    }
  }
}
