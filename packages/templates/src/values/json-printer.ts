import { Budget, checkTextLength } from "../budget.ts";
import { nextDepth } from "./equality.ts";
import { isArray, isObject, type Value } from "./value.ts";

export interface PrintOptions {
  /** `'` is what `format()` writes around texts inside objects and arrays. */
  readonly quote?: '"' | "'";
  readonly budget?: Budget;
}

/** Compact JSON that keeps every digit of an integer and the point of a float. */
export function printJson(value: Value, options: PrintOptions = {}): string {
  const printer: Printer = {
    quote: options.quote ?? '"',
    budget: options.budget ?? new Budget(),
    parts: [],
    length: 0,
  };
  print(value, printer, 0);
  return printer.parts.join("");
}

/** The float as JSON text; the point tells it from an integer when the text is read again. */
export function printFloat(value: number): string {
  const text = `${value}`;
  return /[.e]/i.test(text) || !Number.isFinite(value) ? text.replace("e", "E") : `${text}.0`;
}

interface Printer {
  readonly quote: string;
  readonly budget: Budget;
  readonly parts: string[];
  length: number;
}

function print(value: Value, printer: Printer, depth: number): void {
  switch (typeof value) {
    case "string":
      return write(printer, quoteText(value, printer.quote));
    case "bigint":
      return write(printer, value.toString());
    case "number":
      return write(printer, printFloat(value));
    case "boolean":
      return write(printer, value ? "true" : "false");
    default:
  }
  if (isArray(value)) {
    write(printer, "[");
    let separator = "";
    for (const item of value) {
      write(printer, separator);
      print(item, printer, nextDepth(depth));
      separator = ",";
    }
    return write(printer, "]");
  }
  if (!isObject(value)) {
    return write(printer, "null");
  }
  write(printer, "{");
  let separator = "";
  for (const [name, member] of value) {
    write(printer, `${separator}${quoteText(name, printer.quote)}:`);
    print(member, printer, nextDepth(depth));
    separator = ",";
  }
  return write(printer, "}");
}

function write(printer: Printer, text: string): void {
  printer.parts.push(text);
  printer.length += text.length;
  printer.budget.spend(1);
  checkTextLength(printer.length);
}

const plain = /^[^\p{Cc}"'\\\u2028\u2029]*$/u;

/** Escapes the quote in use, the backslash, control characters and the three exotic line breaks; nothing else. */
export function quoteText(text: string, quote = '"'): string {
  if (plain.test(text)) {
    return quote + text + quote;
  }
  let result = quote;
  for (const char of text) {
    result += escapeCharacter(char, quote);
  }
  return result + quote;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\f", "\\f"],
  ["\r", "\\r"],
]);

function escapeCharacter(char: string, quote: string): string {
  if (char === quote) {
    return `\\${char}`;
  }
  const short = shortEscapes.get(char);
  if (short !== undefined) {
    return short;
  }
  if (char < " " || char === "\u0085" || char === "\u2028" || char === "\u2029") {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  }
  return char;
}
