import { isArray, isObject, printJson } from "@rad/templates";
import type { Value } from "@rad/templates";
import type { SizeBudget } from "./size-budget.ts";

/** JSON as compiled files have it: two blanks a level, `\n`, no newline at the end, every digit of an integer. */
export function jsonText(value: Value, budget: SizeBudget): string {
  const parts: string[] = [];
  write(value, "\n", { parts, budget });
  return parts.join("");
}

interface Writer {
  readonly parts: string[];
  readonly budget: SizeBudget;
}

/** `newline` is a line break and the indentation of the line that the value starts on. */
function write(value: Value, newline: string, writer: Writer): void {
  if (isArray(value)) {
    const inner = `${newline}  `;
    let separator = "[";
    for (const item of value) {
      add(writer, separator + inner);
      write(item, inner, writer);
      separator = ",";
    }
    add(writer, value.length === 0 ? "[]" : `${newline}]`);
  } else if (isObject(value)) {
    const inner = `${newline}  `;
    let separator = "{";
    for (const [name, member] of value) {
      add(writer, `${separator}${inner}${quoted(name)}: `);
      write(member, inner, writer);
      separator = ",";
    }
    add(writer, value.size === 0 ? "{}" : `${newline}}`);
  } else {
    add(writer, typeof value === "string" ? quoted(value) : printJson(value));
  }
}

function add(writer: Writer, piece: string): void {
  writer.budget.spend(piece.length);
  writer.parts.push(piece);
}

const rarelyEscaped = /[\u0085\u2028\u2029\ud800-\udfff]/;

/** The built-in printer is fast and right, but for some line breaks that templates escape and for broken surrogates. */
function quoted(value: string): string {
  return rarelyEscaped.test(value) ? printJson(value) : JSON.stringify(value);
}
