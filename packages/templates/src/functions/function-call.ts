import type { Budget } from "../budget.ts";
import { TemplateError } from "../template-error.ts";
import { isArray, isObject, kindOf, Lambda, type Argument, type ObjectValue, type Value } from "../values/value.ts";

/** Where a call finds its arguments. Reading one may evaluate it. */
export interface ArgumentList {
  readonly count: number;
  readonly read: (index: number) => Argument;
}

/** One call as the function sees it: its arguments, each read as the kind that the function wants. */
export class FunctionCall {
  readonly name: string;
  readonly count: number;
  readonly budget: Budget;
  readonly #args: ArgumentList;

  constructor(name: string, args: ArgumentList, budget: Budget) {
    this.name = name;
    this.count = args.count;
    this.budget = budget;
    this.#args = args;
  }

  argument(index: number): Argument {
    return this.#args.read(index);
  }

  value(index: number): Value {
    const argument = this.#args.read(index);
    if (Lambda.is(argument)) {
      throw this.wrongKind(index, "a value", argument);
    }
    return argument;
  }

  /** The values from `from` on. */
  values(from = 0): Value[] {
    const values: Value[] = [];
    for (let index = from; index < this.count; index += 1) {
      values.push(this.value(index));
    }
    return values;
  }

  string(index: number): string {
    const value = this.#args.read(index);
    if (typeof value !== "string") {
      throw this.wrongKind(index, "a string", value);
    }
    return value;
  }

  strings(from = 0): string[] {
    const strings: string[] = [];
    for (let index = from; index < this.count; index += 1) {
      strings.push(this.string(index));
    }
    return strings;
  }

  bool(index: number): boolean {
    const value = this.#args.read(index);
    if (typeof value !== "boolean") {
      throw this.wrongKind(index, "a bool", value);
    }
    return value;
  }

  int(index: number): bigint {
    const value = this.#args.read(index);
    if (typeof value !== "bigint") {
      throw this.wrongKind(index, "an int", value);
    }
    return value;
  }

  /** An integer to count or to index with; what lies beyond 32 bits is as good as infinite there. */
  smallInt(index: number): number {
    const value = this.int(index);
    const limit = 2n ** 32n;
    return Number(value > limit ? limit : value < -limit ? -limit : value);
  }

  array(index: number): readonly Value[] {
    const value = this.#args.read(index);
    if (!isArray(value)) {
      throw this.wrongKind(index, "an array", value);
    }
    this.budget.spend(value.length);
    return value;
  }

  object(index: number): ObjectValue {
    const value = this.#args.read(index);
    if (!isObject(value)) {
      throw this.wrongKind(index, "an object", value);
    }
    this.budget.spendMembers(value);
    return value;
  }

  lambda(index: number, minParameters: number, maxParameters: number): Lambda {
    const value = this.#args.read(index);
    if (!Lambda.is(value)) {
      throw this.wrongKind(index, "a lambda", value);
    }
    if (value.parameterCount < minParameters || value.parameterCount > maxParameters) {
      const expected = counted(minParameters, maxParameters, "parameter");
      throw this.invalid(`the lambda must have ${expected}, not ${value.parameterCount}`);
    }
    return value;
  }

  wrongKind(index: number, expected: string, actual: Argument): TemplateError {
    const message = `${this.name}: argument ${index + 1} must be ${expected}, not ${described(actual)}.`;
    return new TemplateError("WrongArgumentKind", message);
  }

  /** @param expected what the elements of an array have to be, such as "ints". */
  wrongElement(index: number, expected: string, actual: Value): TemplateError {
    const message = `${this.name}: argument ${index + 1} must be an array of ${expected}, and holds ${described(actual)}.`;
    return new TemplateError("WrongArgumentKind", message);
  }

  invalid(problem: string): TemplateError {
    return new TemplateError("InvalidArgument", `${this.name}: ${problem}.`);
  }
}

export interface FunctionDefinition {
  /** As people write it; look-up ignores letter case. */
  readonly name: string;
  readonly minArgs: number;
  /** `Infinity` when any number will do. */
  readonly maxArgs: number;
  /** A lazy function evaluates an argument when it reads it, and only then. */
  readonly lazy: boolean;
  /** What a call costs besides what it spends itself on the size of its arguments. */
  readonly steps: number;
  readonly run: (call: FunctionCall) => Value;
}

/** `arity` is the number of arguments, or the least and the most of them. */
type Arity = number | readonly [min: number, max: number];
type Run = FunctionDefinition["run"];

/** @param steps measured, so that as many calls as a budget allows take a few seconds at most; see `Budget`. */
export function define(name: string, arity: Arity, run: Run, steps = 1): FunctionDefinition {
  const [minArgs, maxArgs] = typeof arity === "number" ? [arity, arity] : arity;
  return { name, minArgs, maxArgs, lazy: false, steps, run };
}

export function defineLazy(name: string, arity: Arity, run: Run): FunctionDefinition {
  return { ...define(name, arity, run), lazy: true };
}

/** Refuses a wrong number of arguments, then runs the function. */
export function invoke(definition: FunctionDefinition, args: ArgumentList, budget: Budget): Value {
  if (args.count < definition.minArgs || args.count > definition.maxArgs) {
    const message = `${definition.name}: takes ${counted(definition.minArgs, definition.maxArgs, "argument")}, not ${args.count}.`;
    throw new TemplateError("WrongArgumentCount", message);
  }
  budget.spend(definition.steps);
  return definition.run(new FunctionCall(definition.name, args, budget));
}

function counted(min: number, max: number, noun: string): string {
  if (min !== max && max !== Infinity) {
    return `${min} to ${max} ${noun}s`;
  }
  return `${max === Infinity ? "at least " : ""}${min} ${noun}${min === 1 ? "" : "s"}`;
}

function described(value: Argument): string {
  const kind = kindOf(value);
  return kind === "null" ? kind : /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
