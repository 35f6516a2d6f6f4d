import type { Budget } from "../budget.ts";
import { isOpaque } from "../values/opaque-value.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";

/**
 * JSON pointers (RFC 6901) of the parts of a value that rest on a secret. `blind` is the same value, evaluated without
 * knowing the secrets: what is opaque or different in it rests on one. An array of another length, or an object of other
 * members, does so as a whole.
 */
export function secretPointers(value: Value, blind: Value, budget: Budget): string[] {
  const found: string[] = [];
  collectPointers(value, blind, "", { budget, found });
  return found;
}

/** Each is sealed by itself, which takes longer than finding it. */
const secretSteps = 50;

interface Comparison {
  readonly budget: Budget;
  readonly found: string[];
}

function collectPointers(value: Value, blind: Value, at: string, comparison: Comparison): void {
  comparison.budget.spend(2);
  if (value === blind) {
    return;
  }
  if (isOpaque(blind)) {
    comparison.budget.spend(secretSteps);
    comparison.found.push(at);
  } else if (isArray(value) && isArray(blind) && value.length === blind.length) {
    for (const [index, item] of value.entries()) {
      collectPointers(item, blind[index] ?? null, `${at}/${index}`, comparison);
    }
  } else if (isObject(value) && isObject(blind) && haveEqualNames(value, blind)) {
    for (const [name, member] of value) {
      collectPointers(member, blind.get(name) ?? null, `${at}/${escapePointer(name)}`, comparison);
    }
  } else {
    comparison.found.push(at);
  }
}

/** The value with something else in the place of the parts at these JSON pointers. */
export function replaceAtPointers(value: Value, pointers: readonly string[], make: () => Value): Value {
  return pointers.length === 0 ? value : replaceAt(value, pointers.map(pointerSegments), make);
}

/** Every text in the parts at these JSON pointers. */
export function textsAt(value: Value, pointers: readonly string[]): string[] {
  const texts: string[] = [];
  const collect = (part: Value): void => {
    if (typeof part === "string") {
      texts.push(part);
    } else if (isArray(part) || isObject(part)) {
      part.forEach(collect);
    }
  };
  for (const pointer of pointers) {
    collect(pointerSegments(pointer).reduce(child, value));
  }
  return texts;
}

function haveEqualNames(left: ObjectValue, right: ObjectValue): boolean {
  return left.size === right.size && [...left.keys()].every((name) => right.has(name));
}

/** Goes through each part once, however many pointers lead into it. */
function replaceAt(value: Value, paths: readonly (readonly string[])[], make: () => Value): Value {
  if (paths.some((path) => path.length === 0) || (!isArray(value) && !isObject(value))) {
    return make();
  }
  const byName = Map.groupBy(paths, ([first = ""]) => first);
  const replaced = (name: string, member: Value): Value => {
    const inner = byName.get(name);
    return inner === undefined
      ? member
      : replaceAt(
          member,
          inner.map((path) => path.slice(1)),
          make,
        );
  };
  return isArray(value)
    ? value.map((item, index) => replaced(String(index), item))
    : new Map([...value].map(([name, member]) => [name, replaced(name, member)]));
}

function child(value: Value, segment: string): Value {
  if (isArray(value)) {
    return value[Number(segment)] ?? null;
  }
  return isObject(value) ? (value.get(segment) ?? null) : null;
}

function pointerSegments(pointer: string): string[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
