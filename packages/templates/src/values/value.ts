/**
 * What an expression evaluates to. Integers are always `bigint` (64 bits, checked where they are made) and `number` is
 * always a float, so the two never mix by accident. Objects are maps because plain objects move numeric names to the
 * front, and the order of members is part of the language.
 */
export type Value = string | bigint | number | boolean | null | readonly Value[] | ObjectValue;
export type ObjectValue = ReadonlyMap<string, Value>;

export type ValueKind = "string" | "int" | "float" | "bool" | "null" | "array" | "object";

/** A lambda can be handed to a function but never stored in a value. */
export class Lambda {
  readonly parameterCount: number;
  readonly #call: (args: readonly Value[]) => Value;

  constructor(parameterCount: number, call: (args: readonly Value[]) => Value) {
    this.parameterCount = parameterCount;
    this.#call = call;
  }

  /** Asks without looking at the value, unlike `instanceof`: an opaque one (`opaque-value.ts`) is no lambda. */
  static is(argument: Argument): argument is Lambda {
    return typeof argument === "object" && argument !== null && #call in argument;
  }

  call(args: readonly Value[]): Value {
    return this.#call(args);
  }
}

export type Argument = Value | Lambda;

export function kindOf(value: Argument): ValueKind | "lambda" {
  switch (typeof value) {
    case "string":
      return "string";
    case "bigint":
      return "int";
    case "number":
      return "float";
    case "boolean":
      return "bool";
    default:
      return kindOfReference(value);
  }
}

export function isArray(value: Argument): value is readonly Value[] {
  return Array.isArray(value);
}

export function isObject(value: Argument): value is ObjectValue {
  return value instanceof Map;
}

function kindOfReference(value: readonly Value[] | ObjectValue | Lambda | null): ValueKind | "lambda" {
  if (value === null) {
    return "null";
  }
  if (isArray(value)) {
    return "array";
  }
  return value instanceof Lambda ? "lambda" : "object";
}
