import { Budget, checkTextLength } from "../budget.ts";
import { floatText } from "./number-format.ts";
import { escapeText } from "../text/escape-text.ts";
import { nextDepth } from "../values/equality.ts";
import { isArray, isObject, type Value } from "../values/value.ts";

export interface PrintOptions {
  /** `'` is what `format()` writes around texts inside objects and arrays. */
  readonly quote?: '"' | "'";
  readonly budget?: Budget;
}

/** Compact JSON that keeps every digit of an integer and the point of a float. */
export function printJson(value: Value, options: PrintOptions = {}): string {
  const printer: Printer = { quote: options.quote ?? '"', budget: options.budget ?? new Budget(), text: "" };
  print(value, printer, 0);
  return printer.text;
}

/** The float as JSON text; the point tells it from an integer when the text is read again. */
function printFloat(value: number): string {
  const text = floatText(value);
  return /[.E]/.test(text) ? text : `${text}.0`;
}

interface Printer {
  readonly quote: '"' | "'";
  readonly budget: Budget;
  text: string;
}

function print(value: Value, printer: Printer, depth: number): void {
  switch (typeof value) {
    case "string":
      printer.budget.spend(value.length >> 2);
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
    printer.budget.spend(name.length >> 2);
    write(printer, `${separator + quoteText(name, printer.quote)}:`);
    print(member, printer, nextDepth(depth));
    separator = ",";
  }
  return write(printer, "}");
}

function write(printer: Printer, text: string): void {
  printer.text += text;
  printer.budget.spend(1);
  checkTextLength(printer.text.length);
}

function quoteText(text: string, quote: '"' | "'" = '"'): string {
  return quote + escapeText(text, quote) + quote;
}
