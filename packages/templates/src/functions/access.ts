import { TemplateError } from "../template-error.ts";
import { getMember } from "../values/members.ts";
import { isArray, isObject, kindOf, type ObjectValue, type Value } from "../values/value.ts";
import { define, defineLazy, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

export const accessFunctions: readonly FunctionDefinition[] = [
  tryGetFunction((call) => call.value(0)),
  define("indexFromEnd", 2, indexFromEnd),
  defineLazy("tryIndexFromEnd", [2, Infinity], tryIndexFromEnd),
];

/** @param readBase how the value that the steps start from is found. */
export function tryGetFunction(readBase: (call: FunctionCall) => Value): FunctionDefinition {
  return defineLazy("tryGet", [2, Infinity], (call) => walk(call, readBase(call), 1));
}

/** `base.name` and `base['name']`. */
export function getProperty(base: Value, name: string): Value {
  if (!isObject(base)) {
    const message = `The property "${name}" is read from a value that is no object (${kindOf(base)}).`;
    throw new TemplateError("WrongArgumentKind", message);
  }
  const value = getMember(base, name);
  if (value === undefined) {
    throw new TemplateError("UnknownProperty", `There is no property "${name}"; ${available(base)}.`);
  }
  return value;
}

/** `base[index]`, where the index may be the name of a member. */
export function getElement(base: Value, index: Value): Value {
  if (typeof index === "string") {
    return getProperty(base, index);
  }
  if (typeof index !== "bigint" || !isArray(base)) {
    const message = `A value of kind ${kindOf(base)} cannot be indexed with one of kind ${kindOf(index)}.`;
    throw new TemplateError("WrongArgumentKind", message);
  }
  const value = elementAt(base, index);
  if (value === undefined) {
    throw outOfRange(index, base.length);
  }
  return value;
}

/** Follows the steps from argument `from` on; the first one that leads nowhere gives null and ends the walk. */
function walk(call: FunctionCall, base: Value, from: number): Value {
  let value = base;
  for (let index = from; index < call.count && value !== null; index += 1) {
    value = takeStep(call, value, index) ?? null;
  }
  return value;
}

function takeStep(call: FunctionCall, base: Value, index: number): Value | undefined {
  const key = call.value(index);
  if (typeof key === "string" && isObject(base)) {
    call.budget.spend(key.length >> 4);
    return getMember(base, key);
  }
  if (typeof key === "bigint" && isArray(base)) {
    return elementAt(base, key);
  }
  const fromEnd = isObject(key) ? fromEndStep(key) : undefined;
  if (fromEnd !== undefined && isArray(base)) {
    return elementFromEnd(base, fromEnd);
  }
  if (isArray(base) || isObject(base)) {
    throw call.wrongKind(index, isArray(base) ? "an index" : "a name", key);
  }
  const message = `${call.name}: argument ${index + 1} is looked up in a value that is no object or array (${kindOf(base)}).`;
  throw new TemplateError("WrongArgumentKind", message);
}

/** Compilers write `[^n]` behind a safe access as `{value: n, fromEnd: true}`. */
function fromEndStep(key: ObjectValue): bigint | undefined {
  const value = getMember(key, "value");
  return typeof value === "bigint" && getMember(key, "fromEnd") === true ? value : undefined;
}

function indexFromEnd(call: FunctionCall): Value {
  const array = call.array(0);
  const value = elementFromEnd(array, call.int(1));
  if (value === undefined) {
    throw outOfRange(call.int(1), array.length);
  }
  return value;
}

function tryIndexFromEnd(call: FunctionCall): Value {
  if (call.value(0) === null) {
    return null;
  }
  return walk(call, elementFromEnd(call.array(0), call.int(1)) ?? null, 2);
}

function elementAt(array: readonly Value[], index: bigint): Value | undefined {
  return index < 0n ? undefined : array[Number(index)];
}

function elementFromEnd(array: readonly Value[], index: bigint): Value | undefined {
  return index < 1n ? undefined : elementAt(array, BigInt(array.length) - index);
}

function outOfRange(index: bigint, length: number): TemplateError {
  return new TemplateError(
    "IndexOutOfRange",
    `The index ${index} lies outside the array, which has ${length} elements.`,
  );
}

const namesShown = 20;

function available(object: ObjectValue): string {
  const names = [...object.keys()].slice(0, namesShown).map((name) => `"${name}"`);
  if (names.length === 0) {
    return "the object is empty";
  }
  return `the object has ${names.join(", ")}${object.size > namesShown ? " and more" : ""}`;
}
