import { TemplateError } from "../template-error.ts";

const minInteger = -(2n ** 63n);
const maxInteger = 2n ** 63n - 1n;

export function fitsInteger(value: bigint): boolean {
  return value >= minInteger && value <= maxInteger;
}

/** Every integer that a computation makes passes through here. */
export function checkedInteger(value: bigint): bigint {
  if (!fitsInteger(value)) {
    throw new TemplateError("IntegerOverflow", "The result does not fit an integer of 64 bits.");
  }
  return value;
}

/** An integer in text form, blanks around it allowed, or `undefined` when the text is anything else. */
export function parseInteger(text: string): bigint | undefined {
  const trimmed = text.trim();
  // Twenty characters hold the longest 64-bit integer with its sign; leading zeros may make it longer.
  if (trimmed.length > 64 || !/^[+-]?[0-9]+$/.test(trimmed)) {
    return undefined;
  }
  const value = BigInt(trimmed.startsWith("+") ? trimmed.slice(1) : trimmed);
  return fitsInteger(value) ? value : undefined;
}
