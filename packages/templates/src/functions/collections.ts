import { scalarText } from "../format/scalar-text.ts";
import { foldCase } from "../text/letter-case.ts";
import { deepEqual } from "../values/equality.ts";
import { hasMember } from "../values/members.ts";
import { isArray, isObject, type Value } from "../values/value.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

/** What works on strings, arrays and, in part, objects alike. */
export const collectionFunctions: readonly FunctionDefinition[] = [
  define("concat", [1, Infinity], concat),
  define("contains", 2, contains),
  define("empty", 1, (call) => call.value(0) === null || sizeOf(call) === 0),
  define("length", 1, (call) => BigInt(sizeOf(call))),
  define("first", 1, (call) => element(call, 0)),
  define("last", 1, (call) => element(call, -1)),
  define("skip", 2, (call) => slice(call, (count) => [count, undefined])),
  define("take", 2, (call) => slice(call, (count) => [0, count])),
  define("indexOf", 2, (call) => BigInt(search(call, "first"))),
  define("lastIndexOf", 2, (call) => BigInt(search(call, "last"))),
];

function concat(call: FunctionCall): Value {
  const values = call.values();
  if (values.every(isArray)) {
    call.budget.spend(values.reduce((sum, array) => sum + array.length, 0));
    return values.flat();
  }
  const parts = values.map((value, index) => {
    const part = value === null ? undefined : scalarText(value);
    if (part === undefined) {
      throw call.wrongKind(index, isArray(values[0] ?? null) ? "an array like the first" : "a scalar", value);
    }
    return part;
  });
  call.budget.spendText(parts.reduce((sum, part) => sum + part.length, 0));
  return parts.join("");
}

function contains(call: FunctionCall): boolean {
  const container = call.value(0);
  if (typeof container === "string") {
    const wanted = call.string(1);
    call.budget.spendSearch(container, wanted);
    return container.includes(wanted);
  }
  if (isArray(container)) {
    return search(call, "first") >= 0;
  }
  if (isObject(container)) {
    const name = call.string(1);
    call.budget.spend(name.length >> 4);
    return hasMember(container, name);
  }
  throw call.wrongKind(0, "a string, an array or an object", container);
}

function sizeOf(call: FunctionCall): number {
  const value = call.value(0);
  if (typeof value === "string" || isArray(value)) {
    return value.length;
  }
  if (isObject(value)) {
    return value.size;
  }
  throw call.wrongKind(0, "a string, an array or an object", value);
}

/** An empty string has an empty first and last character; an empty array has null. */
function element(call: FunctionCall, position: number): Value {
  const value = textOrItems(call);
  return value.at(position) ?? (typeof value === "string" ? "" : null);
}

function slice(call: FunctionCall, bounds: (count: number) => [number, number | undefined]): Value {
  const value = textOrItems(call);
  const [start, end] = bounds(Math.max(call.smallInt(1), 0));
  call.budget.spend(isArray(value) ? value.length : 0);
  return value.slice(start, end);
}

/** Letter case counts in an array but not in a string. */
function search(call: FunctionCall, which: "first" | "last"): number {
  const container = textOrItems(call);
  if (typeof container === "string") {
    call.budget.spendSearch(container, call.string(1));
    const [text, wanted] = [foldCase(container), foldCase(call.string(1))];
    return which === "first" ? text.indexOf(wanted) : text.lastIndexOf(wanted);
  }
  const wanted = call.value(1);
  call.budget.spend(container.length);
  const matches = (item: Value): boolean => deepEqual(item, wanted, call.budget);
  return which === "first" ? container.findIndex(matches) : container.findLastIndex(matches);
}

function textOrItems(call: FunctionCall): string | readonly Value[] {
  const value = call.value(0);
  if (typeof value !== "string" && !isArray(value)) {
    throw call.wrongKind(0, "a string or an array", value);
  }
  return value;
}
