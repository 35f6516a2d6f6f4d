import { compareText } from "../text/text-order.ts";
import { ObjectBuilder } from "../values/members.ts";
import { isObject, type ObjectValue, type Value } from "../values/value.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

export const objectFunctions: readonly FunctionDefinition[] = [
  define("createObject", [0, Infinity], createObject),
  define("items", 1, items),
  define("objectKeys", 1, (call) => sortedNames(call, call.object(0))),
  define("shallowMerge", 1, shallowMerge),
];

function createObject(call: FunctionCall): ObjectValue {
  if (call.count % 2 !== 0) {
    throw call.invalid("the last name has no value");
  }
  call.budget.spendObjects(1);
  const result = new ObjectBuilder();
  for (let index = 0; index < call.count; index += 2) {
    const name = call.string(index);
    call.budget.spend(2 + (name.length >> 4));
    result.set(name, call.value(index + 1));
  }
  return result.build();
}

function items(call: FunctionCall): Value[] {
  const object = call.object(0);
  call.budget.spendObjects(object.size);
  return sortedNames(call, object).map(
    (name) =>
      new Map<string, Value>([
        ["key", name],
        ["value", object.get(name) ?? null],
      ]),
  );
}

function sortedNames(call: FunctionCall, object: ObjectValue): string[] {
  // Sorting goes through the names about so many times.
  for (let count = object.size; count > 1; count >>= 1) {
    call.budget.spendMembers(object);
  }
  return [...object.keys()].sort(compareText);
}

function shallowMerge(call: FunctionCall): ObjectValue {
  const result = new ObjectBuilder();
  for (const item of call.array(0)) {
    if (!isObject(item)) {
      throw call.wrongElement(0, "objects", item);
    }
    call.budget.spend(2 * item.size);
    call.budget.spendMembers(item);
    for (const [name, value] of item) {
      result.set(name, value);
    }
  }
  return result.build();
}
