import { identityText } from "../values/equality.ts";
import { isArray, isObject, type Value } from "../values/value.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";
import { intersectObjects, uniteObjects } from "./object-merging.ts";

export const arrayFunctions: readonly FunctionDefinition[] = [
  define("array", 1, (call) => toArray(call.value(0))),
  define("createArray", [0, Infinity], createArray, 2),
  define("distinct", 1, (call) => distinct(call, call.array(0))),
  define("flatten", 1, flatten),
  define("union", [1, Infinity], union),
  define("intersection", [2, Infinity], intersection, 10),
];

function createArray(call: FunctionCall): Value[] {
  call.budget.spend(call.count);
  return call.values();
}

function toArray(value: Value): Value {
  return isArray(value) ? value : [value];
}

function distinct(call: FunctionCall, items: readonly Value[]): Value[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const identity = identityText(item, call.budget);
    const fresh = !seen.has(identity);
    seen.add(identity);
    return fresh;
  });
}

function flatten(call: FunctionCall): Value[] {
  const result: Value[] = [];
  for (const item of call.array(0)) {
    if (!isArray(item)) {
      throw call.wrongElement(0, "arrays", item);
    }
    call.budget.spend(item.length);
    for (const inner of item) {
      result.push(inner);
    }
  }
  return result;
}

function union(call: FunctionCall): Value {
  const values = call.values();
  if (values.every(isArray)) {
    call.budget.spend(values.reduce((sum, array) => sum + array.length, 0));
    return distinct(call, values.flat());
  }
  if (values.every(isObject)) {
    return values.reduce((left, right) => uniteObjects(left, right, call.budget));
  }
  throw mixed(call, values);
}

function intersection(call: FunctionCall): Value {
  const values = call.values();
  if (values.every(isArray)) {
    return intersectArrays(call, values);
  }
  if (values.every(isObject)) {
    return values.reduce((left, right) => intersectObjects(left, right, call.budget));
  }
  throw mixed(call, values);
}

/** In the order of the first array. */
function intersectArrays(call: FunctionCall, arrays: readonly (readonly Value[])[]): Value[] {
  const [first = [], ...others] = arrays;
  const identities = others.map((array) => new Set(array.map((item) => identityText(item, call.budget))));
  const taken = new Set<string>();
  return first.filter((item) => {
    const identity = identityText(item, call.budget);
    const wanted = !taken.has(identity) && identities.every((set) => set.has(identity));
    taken.add(identity);
    return wanted;
  });
}

/** Names the first argument that is neither, or that differs from the first one. */
function mixed(call: FunctionCall, values: readonly Value[]) {
  const first = values[0] ?? null;
  const fits = isArray(first) ? isArray : isObject;
  const index = Math.max(
    values.findIndex((value) => !fits(value)),
    0,
  );
  const expected = isArray(first)
    ? "an array like the first"
    : isObject(first)
      ? "an object like the first"
      : "an array or an object";
  return call.wrongKind(index, expected, values[index] ?? null);
}
