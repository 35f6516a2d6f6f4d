import { formatCustomNumber } from "./custom-number-format.ts";
import { decimalOf, groupThousands, roundToDigits, shortestDecimal, splitDecimal, type Decimal } from "./decimal.ts";

/** What expressions build can be long; nobody writes such a format, and reading it takes many times its size. */
const maxSpecLength = 1_000;

/** Formats a number like .NET does in its invariant culture; `undefined` when there is no such format. */
export function formatNumber(value: bigint | number, spec: string): string | undefined {
  if (spec.length > maxSpecLength) {
    return undefined;
  }
  const standard = /^([A-Za-z])([0-9]{0,3})$/.exec(spec);
  if (standard === null) {
    return /^[A-Za-z][0-9]*$/.test(spec) ? undefined : formatCustomNumber(customDecimal(value), spec);
  }
  const letter = standard[1] ?? "";
  const precision = standard[2] === "" ? undefined : Number(standard[2]);
  switch (letter.toUpperCase()) {
    case "D":
      return typeof value === "bigint" ? wholeNumber(value, precision ?? 0) : undefined;
    case "X":
      return typeof value === "bigint" ? hexadecimal(value, precision ?? 0, letter === "X") : undefined;
    case "F":
      return signed(value, fixed(decimalOf(value), precision ?? 2));
    case "N":
      return signed(value, grouped(decimalOf(value), precision ?? 2));
    case "P":
      return signed(value, `${grouped(percent(decimalOf(value)), precision ?? 2)} %`);
    case "C":
      return currency(value, precision ?? 2);
    case "E":
      return signed(value, scientific(decimalOf(value), precision ?? 6, letter, 3));
    case "G":
      return general(value, precision ?? 0, letter === "G" ? "E" : "e");
    case "R":
      return general(value, 0, "E");
    default:
      return undefined;
  }
}

/** The float as text when no format is given. */
export function floatText(value: number): string {
  return general(value, 0, "E");
}

function customDecimal(value: bigint | number): Decimal {
  return typeof value === "bigint" ? decimalOf(value) : roundToDigits(decimalOf(value), 15);
}

/** A float keeps its sign where it is zero or rounds to it. */
function signed(value: bigint | number, text: string): string {
  return value < 0 || Object.is(value, -0) ? `-${text}` : text;
}

function wholeNumber(value: bigint, minDigits: number): string {
  return signed(value, (value < 0n ? -value : value).toString().padStart(minDigits, "0"));
}

function hexadecimal(value: bigint, minDigits: number, upper: boolean): string {
  const text = BigInt.asUintN(64, value).toString(16).padStart(minDigits, "0");
  return upper ? text.toUpperCase() : text;
}

function fixed(decimal: Decimal, places: number): string {
  const { whole, fraction } = splitDecimal(decimal, places);
  return joinParts(whole === "" ? "0" : whole, fraction);
}

function grouped(decimal: Decimal, places: number): string {
  const { whole, fraction } = splitDecimal(decimal, places);
  return joinParts(whole === "" ? "0" : groupThousands(whole), fraction);
}

function joinParts(whole: string, fraction: string): string {
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

function percent(decimal: Decimal): Decimal {
  return decimal.digits === "" ? decimal : { ...decimal, exponent: decimal.exponent + 2 };
}

/** The invariant culture has no currency of its own, so it writes the generic sign. */
function currency(value: bigint | number, places: number): string {
  const amount = `\u00a4${grouped(decimalOf(value), places)}`;
  return value < 0 ? `(${amount})` : amount;
}

function scientific(decimal: Decimal, places: number, letter: string, exponentDigits: number): string {
  const rounded = roundToDigits(decimal, places + 1);
  const digits = rounded.digits.padEnd(places + 1, "0");
  const exponent = rounded.digits === "" ? 0 : rounded.exponent - 1;
  return `${joinParts(digits.slice(0, 1), digits.slice(1))}${exponentText(exponent, letter, exponentDigits)}`;
}

function exponentText(exponent: number, letter: string, minDigits: number): string {
  return `${letter}${exponent < 0 ? "-" : "+"}${Math.abs(exponent).toString().padStart(minDigits, "0")}`;
}

/** The shorter of plain and scientific, without zeros at the end. */
function general(value: bigint | number, precision: number, letter: string): string {
  if (typeof value === "bigint" && precision === 0) {
    return value.toString();
  }
  const exact = precision === 0 && typeof value === "number" ? shortestDecimal(value) : decimalOf(value);
  const rounded = precision === 0 ? exact : roundToDigits(exact, precision);
  const exponent = rounded.digits === "" ? 0 : rounded.exponent - 1;
  if (exponent < -4 || exponent >= (precision === 0 ? 15 : precision)) {
    return signed(value, scientific(rounded, Math.max(rounded.digits.length - 1, 0), letter, 2));
  }
  return signed(value, fixed(rounded, Math.max(rounded.digits.length - rounded.exponent, 0)));
}
