import { compareText } from "../text/text-order.ts";
import { deepEqual } from "../values/equality.ts";
import { define, defineLazy, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

export const logicFunctions: readonly FunctionDefinition[] = [
  define("true", 0, () => true),
  define("false", 0, () => false),
  define("null", 0, () => null),
  define("not", 1, (call) => !call.bool(0)),
  defineLazy("and", [1, Infinity], (call) => !hasOperand(call, false)),
  defineLazy("or", [1, Infinity], (call) => hasOperand(call, true)),
  defineLazy("if", 3, (call) => call.value(call.bool(0) ? 1 : 2)),
  defineLazy("coalesce", [1, Infinity], firstNonNull),
  define("equals", 2, (call) => deepEqual(call.value(0), call.value(1), call.budget)),
  define("less", 2, (call) => compare(call) < 0),
  define("lessOrEquals", 2, (call) => compare(call) <= 0),
  define("greater", 2, (call) => compare(call) > 0),
  define("greaterOrEquals", 2, (call) => compare(call) >= 0),
];

/** Stops at the first operand that decides the result. */
function hasOperand(call: FunctionCall, wanted: boolean): boolean {
  for (let index = 0; index < call.count; index += 1) {
    if (call.bool(index) === wanted) {
      return true;
    }
  }
  return false;
}

function firstNonNull(call: FunctionCall) {
  for (let index = 0; index < call.count; index += 1) {
    const value = call.value(index);
    if (value !== null) {
      return value;
    }
  }
  return null;
}

function compare(call: FunctionCall): number {
  const left = call.value(0);
  if (typeof left === "string") {
    const right = call.string(1);
    call.budget.spendReading(Math.min(left.length, right.length));
    return compareText(left, right);
  }
  if (typeof left !== "bigint") {
    throw call.wrongKind(0, "an int or a string", left);
  }
  const right = call.int(1);
  return left === right ? 0 : left < right ? -1 : 1;
}
