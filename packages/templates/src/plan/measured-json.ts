import type { JsonValue } from "@rad/core";
import { toJson } from "../values/json-conversion.ts";
import { isArray, isObject, type Value } from "../values/value.ts";
import { PlanProblem } from "./plan-problem.ts";

/**
 * Values share their parts, so a small expression can stand for a document that fills the memory. It is measured
 * before it is written out.
 */
export function toMeasuredJson(value: Value, maxLength: number, path?: string): JsonValue {
  checkLength(value, maxLength, path);
  return toJson(value);
}

export function checkLength(value: Value, maxLength: number, path?: string): void {
  if (measure(value, maxLength) < 0) {
    throw new PlanProblem("LimitExceeded", `The value has more than ${maxLength} characters as JSON.`, path);
  }
}

/** Values that one document will hold. Together they must not be longer than one of them may be. */
export class SharedRoom {
  readonly #maxLength: number;
  #left: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
    this.#left = maxLength;
  }

  toJson(value: Value, path: string): JsonValue {
    const json = toMeasuredJson(value, this.#maxLength, path);
    this.#left = measure(value, this.#left);
    if (this.#left < 0) {
      const message = `This and the values before it have more than ${this.#maxLength} characters as JSON.`;
      throw new PlanProblem("LimitExceeded", message, path);
    }
    return json;
  }
}

/** What is left of `room` after the value's JSON, about; negative when it does not fit. */
function measure(value: Value, room: number): number {
  let left = room - 4;
  if (typeof value === "string") {
    return left - value.length;
  }
  if (isArray(value)) {
    for (const item of value) {
      left = measure(item, left);
      if (left < 0) {
        return left;
      }
    }
  } else if (isObject(value)) {
    for (const [name, member] of value) {
      left = measure(member, left - name.length);
      if (left < 0) {
        return left;
      }
    }
  }
  return left;
}
