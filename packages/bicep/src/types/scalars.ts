import type { Diagnostic } from "../diagnostic.ts";
import { TypeFlags } from "./flags.ts";
import type {
  AnyType,
  BoolLiteralType,
  BoolType,
  ErrorType,
  IntLiteralType,
  IntType,
  NeverType,
  NullType,
  StringLiteralType,
  StringType,
} from "./model.ts";
import { countable } from "./ranges.ts";

export const maxInt = 2n ** 63n - 1n;
export const minInt = -(2n ** 63n);

export const anyType: AnyType = { kind: "any", flags: 0, key: "any" };
export const neverType: NeverType = { kind: "never", flags: 0, key: "never" };
export const nullType: NullType = { kind: "null", flags: 0, key: "null" };
export const stringType: StringType = makeString({}, 0);
export const intType: IntType = makeInt(undefined, undefined, 0);
export const boolType: BoolType = makeBool(0);
export const trueType: BoolLiteralType = makeBoolLiteral(true, 0);
export const falseType: BoolLiteralType = makeBoolLiteral(false, 0);
/** An error that was reported elsewhere, or needs no report. */
export const silentError: ErrorType = errorType([]);

/** A property that cannot be read. A function that gets it as an argument still has a result. */
export const unreadable: ErrorType = errorType([]);
export const looseString: StringType = makeString({}, TypeFlags.Loose);
export const looseInt: IntType = makeInt(undefined, undefined, TypeFlags.Loose);
export const looseBool: BoolType = makeBool(TypeFlags.Loose);
export const secureString: StringType = makeString({}, TypeFlags.Secure);

export function errorType(diagnostics: readonly Diagnostic[]): ErrorType {
  return { kind: "error", flags: TypeFlags.PreventAssignment, key: "error", diagnostics };
}

export interface StringRange {
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
}

export function stringOf(range: StringRange, flags = 0): StringType {
  if (range.minLength === undefined && range.maxLength === undefined && range.pattern === undefined) {
    if (flags === 0) {
      return stringType;
    }
    if (flags === TypeFlags.Loose) {
      return looseString;
    }
  }
  return makeString(range, flags);
}

/** An integer between two bounds, each included; one value only is a literal, none at all is plain `int`. */
export function intOf(min: bigint | undefined, max: bigint | undefined, flags = 0): IntType | IntLiteralType {
  if (min !== undefined && min === max) {
    return intLiteral(min, flags);
  }
  if (min === undefined && max === undefined) {
    return flags === 0 ? intType : makeInt(min, max, flags);
  }
  return makeInt(min, max, flags);
}

export function boolOf(flags: number): BoolType {
  return flags === 0 ? boolType : makeBool(flags);
}

export function stringLiteral(value: string, flags = 0): StringLiteralType {
  return new StringLiteralOf(value, flags);
}

export function intLiteral(value: bigint, flags = 0): IntLiteralType {
  return new IntLiteralOf(value, flags);
}

// Files are full of literals, and the keys of few of them are ever asked for.
class StringLiteralOf implements StringLiteralType {
  readonly kind = "stringLiteral";
  readonly flags: number;
  readonly value: string;
  #key: string | undefined;

  constructor(value: string, flags: number) {
    this.flags = flags;
    this.value = value;
  }

  get key(): string {
    this.#key ??= `'${this.flags}:${this.value}'`;
    return this.#key;
  }
}

class IntLiteralOf implements IntLiteralType {
  readonly kind = "intLiteral";
  readonly flags: number;
  readonly value: bigint;

  constructor(value: bigint, flags: number) {
    this.flags = flags;
    this.value = value;
  }

  get key(): string {
    return `${this.flags}:${this.value}`;
  }
}

export function boolLiteral(value: boolean, flags = 0): BoolLiteralType {
  if (flags === 0) {
    return value ? trueType : falseType;
  }
  return makeBoolLiteral(value, flags);
}

function makeString(range: StringRange, flags: number): StringType {
  const { pattern } = range;
  const { minLength, maxLength } = countable(range);
  const key = `string${flags}(${minLength ?? ""},${maxLength ?? ""},${pattern === undefined ? "" : JSON.stringify(pattern)})`;
  return { kind: "string", flags, key, minLength, maxLength, pattern };
}

function makeInt(min: bigint | undefined, max: bigint | undefined, flags: number): IntType {
  return { kind: "int", flags, key: `int${flags}(${min ?? ""},${max ?? ""})`, min, max };
}

function makeBool(flags: number): BoolType {
  return { kind: "bool", flags, key: `bool${flags}` };
}

function makeBoolLiteral(value: boolean, flags: number): BoolLiteralType {
  return { kind: "boolLiteral", flags, key: `${value}${flags}`, value };
}
