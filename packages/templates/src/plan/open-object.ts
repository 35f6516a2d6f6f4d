import type { JsonValue } from "@rad/core";
import { fromJson } from "../values/json-conversion.ts";
import { isOpaque } from "../values/opaque-value.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import { Pending } from "./plan-problem.ts";

/**
 * An object of which only some members are known yet. Whoever wants another member, or all of them, is told that it is
 * pending; so no function can take what is missing for something that is not there.
 */
export class OpenObject extends Map<string, Value> {
  override get size(): number {
    throw new Pending();
  }

  override get(name: string): Value {
    const wanted = name.toLowerCase();
    const known = super.get(name) ?? super.entries().find(([other]) => other.toLowerCase() === wanted)?.[1];
    if (known === undefined) {
      throw new Pending();
    }
    return known;
  }

  known(): [string, Value][] {
    return [...super.entries()];
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  override keys(): never {
    throw new Pending();
  }

  override values(): never {
    throw new Pending();
  }

  override entries(): never {
    throw new Pending();
  }

  override forEach(): never {
    throw new Pending();
  }

  override [Symbol.iterator](): never {
    throw new Pending();
  }
}

/** Converts a document in which the objects of `open` may have further members. */
export function fromPartialJson(json: JsonValue, open: ReadonlySet<JsonValue>): Value {
  if (typeof json !== "object" || json === null) {
    return fromJson(json);
  }
  if (Array.isArray(json)) {
    return json.map((item: JsonValue) => fromPartialJson(item, open));
  }
  const members = Object.entries(json).map(([name, member]): [string, Value] => [name, fromPartialJson(member, open)]);
  return open.has(json) ? new OpenObject(members) : new Map(members);
}

/** @throws Pending when some part of the value is not known yet. */
export function requireWhole(value: Value): void {
  if (isContainer(value)) {
    visit(value, new Set());
  }
}

/** Values share their parts, so that one that is small in memory can be without end to someone who follows every path. */
function visit(value: Value, seen: Set<Value>): void {
  if (isContainer(value) && !seen.has(value)) {
    seen.add(value);
    value.forEach((part) => visit(part, seen));
  }
}

function isContainer(value: Value): value is readonly Value[] | ObjectValue {
  return !isOpaque(value) && (isArray(value) || isObject(value));
}
