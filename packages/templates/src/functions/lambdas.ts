import { foldCase } from "../text/letter-case.ts";
import { ObjectBuilder } from "../values/members.ts";
import type { Lambda, Value } from "../values/value.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

export const lambdaFunctions: readonly FunctionDefinition[] = [
  define("map", 2, map),
  define("filter", 2, filter),
  define("reduce", 3, reduce),
  define("sort", 2, sort),
  define("toObject", [2, 3], toObject),
  define("groupBy", [2, 3], groupBy),
  define("mapValues", 2, mapValues),
];

/** For a member whose name is compared without regard to letter case. */
const memberSteps = 4;

function map(call: FunctionCall): Value[] {
  const lambda = call.lambda(1, 1, 2);
  return call.array(0).map((item, index) => withIndex(lambda, [item], index));
}

function filter(call: FunctionCall): Value[] {
  const lambda = call.lambda(1, 1, 2);
  return call.array(0).filter((item, index) => asBool(call, withIndex(lambda, [item], index)));
}

function reduce(call: FunctionCall): Value {
  const lambda = call.lambda(2, 2, 3);
  let result = call.value(1);
  for (const [index, item] of call.array(0).entries()) {
    result = withIndex(lambda, [result, item], index);
  }
  return result;
}

/** Merge sort, which keeps the order of equal elements and bears a lambda that contradicts itself. */
function sort(call: FunctionCall): Value[] {
  const lambda = call.lambda(1, 2, 2);
  const before = (left: Value, right: Value): boolean => asBool(call, lambda.call([left, right]));
  return mergeSort(call.array(0), before);
}

function mergeSort(items: readonly Value[], before: (left: Value, right: Value) => boolean): Value[] {
  if (items.length < 2) {
    return [...items];
  }
  const middle = items.length >> 1;
  const left = mergeSort(items.slice(0, middle), before);
  const right = mergeSort(items.slice(middle), before);
  const result: Value[] = [];
  let taken = 0;
  for (const item of right) {
    while (taken < left.length && !before(item, left[taken] ?? null)) {
      result.push(left[taken] ?? null);
      taken += 1;
    }
    result.push(item);
  }
  return [...result, ...left.slice(taken)];
}

function toObject(call: FunctionCall): Value {
  const key = call.lambda(1, 1, 1);
  const value = call.count > 2 ? call.lambda(2, 1, 1) : undefined;
  const result = new ObjectBuilder();
  for (const item of call.array(0)) {
    call.budget.spend(memberSteps);
    result.set(asKey(call, key.call([item])), value === undefined ? item : value.call([item]));
  }
  return result.build();
}

function groupBy(call: FunctionCall): Value {
  const key = call.lambda(1, 1, 1);
  const value = call.count > 2 ? call.lambda(2, 1, 1) : undefined;
  const groups = new Map<string, Value[]>();
  const result = new ObjectBuilder();
  for (const item of call.array(0)) {
    const name = asKey(call, key.call([item]));
    call.budget.spend(1);
    const group = groups.get(foldCase(name)) ?? [];
    if (group.length === 0) {
      call.budget.spendObjects(1);
      call.budget.spend(memberSteps);
      groups.set(foldCase(name), group);
      result.set(name, group);
    }
    group.push(value === undefined ? item : value.call([item]));
  }
  return result.build();
}

function mapValues(call: FunctionCall): Value {
  const lambda = call.lambda(1, 1, 1);
  const object = call.object(0);
  call.budget.spendObjects(1);
  call.budget.spend(2 * object.size);
  const result = new Map<string, Value>();
  for (const [name, value] of object) {
    result.set(name, lambda.call([value]));
  }
  return result;
}

/** A lambda that has one parameter more than it needs gets the position as well. */
function withIndex(lambda: Lambda, args: readonly Value[], index: number): Value {
  return lambda.call(lambda.parameterCount > args.length ? [...args, BigInt(index)] : args);
}

function asBool(call: FunctionCall, value: Value): boolean {
  if (typeof value !== "boolean") {
    throw call.invalid("the lambda must give a bool");
  }
  return value;
}

function asKey(call: FunctionCall, value: Value): string {
  if (typeof value !== "string") {
    throw call.invalid("the key lambda must give a string");
  }
  call.budget.spend(value.length >> 4);
  return value;
}
