import { TemplateError } from "../template-error.ts";
import { checkedInteger, parseInteger } from "../values/integers.ts";
import { isArray } from "../values/value.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

export const numberFunctions: readonly FunctionDefinition[] = [
  define("add", 2, (call) => checkedInteger(call.int(0) + call.int(1))),
  define("sub", 2, (call) => checkedInteger(call.int(0) - call.int(1))),
  define("mul", 2, (call) => checkedInteger(call.int(0) * call.int(1))),
  define("div", 2, (call) => checkedInteger(call.int(0) / divisor(call))),
  define("mod", 2, (call) => call.int(0) % divisor(call)),
  define("min", [1, Infinity], (call) => extreme(call, (left, right) => left < right)),
  define("max", [1, Infinity], (call) => extreme(call, (left, right) => left > right)),
  define("range", 2, range),
  define("int", 1, toInt),
  define("float", 1, toFloat),
  define("bool", 1, toBool),
];

function divisor(call: FunctionCall): bigint {
  const value = call.int(1);
  if (value === 0n) {
    throw new TemplateError("DivisionByZero", `${call.name}: the divisor is zero.`);
  }
  return value;
}

/** The integers are the arguments themselves or the elements of the only argument. */
function extreme(call: FunctionCall, better: (left: bigint, right: bigint) => boolean): bigint {
  const only = call.count === 1 ? call.value(0) : null;
  const values = isArray(only) ? only : call.values();
  let best: bigint | undefined;
  for (const [index, value] of values.entries()) {
    if (typeof value !== "bigint") {
      throw values === only ? call.wrongElement(0, "ints", value) : call.wrongKind(index, "an int", value);
    }
    best = best === undefined || better(value, best) ? value : best;
  }
  if (best === undefined) {
    throw call.invalid("the array is empty");
  }
  call.budget.spend(values.length);
  return best;
}

const maxRangeCount = 10_000n;
const maxRangeEnd = 2_147_483_647n;

function range(call: FunctionCall): bigint[] {
  const start = call.int(0);
  const count = call.int(1);
  if (count < 0n || count > maxRangeCount) {
    throw call.invalid(`the count must be between 0 and ${maxRangeCount}`);
  }
  if (start + count > maxRangeEnd) {
    throw call.invalid(`start and count together must not pass ${maxRangeEnd}`);
  }
  call.budget.spend(2 * Number(count));
  const result: bigint[] = [];
  for (let value = start; value < start + count; value += 1n) {
    result.push(value);
  }
  return result;
}

function toInt(call: FunctionCall): bigint {
  const value = call.value(0);
  if (typeof value === "bigint") {
    return value;
  }
  if (typeof value !== "string") {
    throw call.wrongKind(0, "an int or a string", value);
  }
  call.budget.spendReading(value.length);
  const parsed = parseInteger(value);
  if (parsed === undefined) {
    throw call.invalid("the text is not an integer of 64 bits");
  }
  return parsed;
}

function toFloat(call: FunctionCall): number {
  const value = call.value(0);
  if (typeof value === "bigint" || typeof value === "number") {
    return Number(value);
  }
  if (typeof value !== "string") {
    throw call.wrongKind(0, "a number or a string", value);
  }
  call.budget.spendReading(value.length);
  const text = value.trim();
  // Digits can match in one way only: two ways would take quadratic time over a long run of them.
  if (!/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i.test(text)) {
    throw call.invalid("the text is not a number");
  }
  const float = Number(text);
  if (!Number.isFinite(float)) {
    throw call.invalid("the number is out of range");
  }
  return float;
}

function toBool(call: FunctionCall): boolean {
  const value = call.value(0);
  switch (typeof value) {
    case "boolean":
      return value;
    case "bigint":
      return value !== 0n;
    case "string":
      return parseBool(call, value);
    default:
      throw call.wrongKind(0, "a bool, an int or a string", value);
  }
}

function parseBool(call: FunctionCall, text: string): boolean {
  const word = text.length > 64 ? "" : text.trim().toLowerCase();
  if (word !== "true" && word !== "false") {
    throw call.invalid('the text is neither "true" nor "false"');
  }
  return word === "true";
}
