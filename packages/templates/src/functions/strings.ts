import { formatComposite } from "../format/composite-format.ts";
import { scalarText } from "../format/scalar-text.ts";
import { foldCase, toLowerInvariant, toUpperInvariant } from "../text/letter-case.ts";
import { printJson } from "../format/json-printer.ts";
import { isArray } from "../values/value.ts";
import { define, type FunctionCall, type FunctionDefinition } from "./function-call.ts";

export const stringFunctions: readonly FunctionDefinition[] = [
  define("format", [1, Infinity], (call) => formatComposite(call.string(0), call.values(1), call.budget)),
  define("string", 1, (call) => textOf(call, 0)),
  define("toLower", 1, (call) => toLowerInvariant(builtAnew(call, 0))),
  define("toUpper", 1, (call) => toUpperInvariant(builtAnew(call, 0))),
  define("trim", 1, (call) => trim(text(call, 0))),
  define("startsWith", 2, (call) => foldCase(text(call, 0)).startsWith(foldCase(text(call, 1)))),
  define("endsWith", 2, (call) => foldCase(text(call, 0)).endsWith(foldCase(text(call, 1)))),
  define("like", 2, like),
  define("padLeft", [2, 3], padLeft),
  define("replace", 3, replace),
  define("split", 2, split),
  define("substring", [2, 3], substring),
  define("join", 2, join),
];

/** What `string()` makes of a value: objects and arrays become JSON. */
export function textOf(call: FunctionCall, index: number): string {
  const value = call.value(index);
  return scalarText(value) ?? printJson(value, { budget: call.budget });
}

/** A string that the function goes through once. */
function text(call: FunctionCall, index: number): string {
  const value = call.string(index);
  call.budget.spendReading(value.length);
  return value;
}

/** A string that the function makes another one of. */
function builtAnew(call: FunctionCall, index: number): string {
  const value = call.string(index);
  call.budget.spendText(value.length);
  return value;
}

/** JavaScript's own trim differs in two characters: it takes the byte order mark and leaves U+0085. */
function trim(value: string): string {
  const start = value.search(/[^\s\u0085]|\uFEFF/);
  if (start < 0) {
    return "";
  }
  let end = value.length;
  while (/[\s\u0085]/.test(value[end - 1] ?? "") && value[end - 1] !== "\uFEFF") {
    end -= 1;
  }
  return value.slice(start, end);
}

/** `*` stands for any run of characters; the whole text has to match. */
function like(call: FunctionCall): boolean {
  const [input, pattern] = [foldCase(text(call, 0)), foldCase(text(call, 1))];
  const pieces = pattern.split("*");
  const first = pieces.shift() ?? "";
  const last = pieces.pop();
  if (last === undefined) {
    return input === first;
  }
  if (input.length < first.length + last.length || !input.startsWith(first) || !input.endsWith(last)) {
    return false;
  }
  // Each search goes on where the one before it ended, so together they cost as much as the longest one.
  call.budget.spendSearch(
    input,
    pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), ""),
  );
  let at = first.length;
  for (const piece of pieces) {
    const found = input.indexOf(piece, at);
    if (found < 0) {
      return false;
    }
    at = found + piece.length;
  }
  return at <= input.length - last.length;
}

function padLeft(call: FunctionCall): string {
  const value = call.value(0);
  if (typeof value !== "string" && typeof value !== "bigint") {
    throw call.wrongKind(0, "a string or an int", value);
  }
  const width = call.smallInt(1);
  if (width < 0) {
    throw call.invalid("the total length is negative");
  }
  const pad = call.count > 2 ? call.string(2) : " ";
  if (pad.length !== 1) {
    throw call.invalid("the padding must be exactly one character");
  }
  call.budget.spendText(width);
  return value.toString().padStart(width, pad);
}

function replace(call: FunctionCall): string {
  const [input, old, replacement] = [call.string(0), call.string(1), call.string(2)];
  if (old === "") {
    throw call.invalid("the text to replace is empty");
  }
  call.budget.spendSearch(input, old);
  const pieces = input.split(old);
  call.budget.spendText(input.length + (pieces.length - 1) * (replacement.length - old.length));
  return pieces.join(replacement);
}

function split(call: FunctionCall): string[] {
  const input = text(call, 0);
  const delimiters = readDelimiters(call).filter((delimiter) => delimiter !== "");
  for (const delimiter of delimiters) {
    call.budget.spendSearch(input, delimiter);
  }
  const pieces = splitAtAny(input, delimiters, call);
  call.budget.spend(2 * pieces.length);
  return pieces;
}

function readDelimiters(call: FunctionCall): string[] {
  const given = call.value(1);
  if (!isArray(given)) {
    if (typeof given !== "string") {
      throw call.wrongKind(1, "a string or an array of strings", given);
    }
    return [given];
  }
  return given.map((delimiter) => {
    if (typeof delimiter !== "string") {
      throw call.wrongElement(1, "strings", delimiter);
    }
    return delimiter;
  });
}

/** At each place the first delimiter of the list that fits is taken. */
function splitAtAny(input: string, delimiters: readonly string[], call: FunctionCall): string[] {
  const only = delimiters[0];
  if (only === undefined) {
    return [input];
  }
  if (delimiters.length === 1) {
    return input.split(only);
  }
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < input.length;) {
    call.budget.spend(delimiters.length >> 3);
    const start = at;
    const found = delimiters.find((delimiter) => input.startsWith(delimiter, start));
    if (found === undefined) {
      at += 1;
    } else {
      pieces.push(input.slice(from, at));
      at += found.length;
      from = at;
    }
  }
  pieces.push(input.slice(from));
  return pieces;
}

function substring(call: FunctionCall): string {
  const input = call.string(0);
  const start = call.smallInt(1);
  if (start < 0 || start > input.length) {
    throw call.invalid(`the start lies outside the text, which has ${input.length} characters`);
  }
  const length = call.count > 2 ? call.smallInt(2) : input.length - start;
  if (length < 0 || start + length > input.length) {
    throw call.invalid(`the length reaches outside the text, which has ${input.length} characters`);
  }
  return input.slice(start, start + length);
}

function join(call: FunctionCall): string {
  const delimiter = call.string(1);
  const parts = call.array(0).map((item) => {
    const part = item === null ? undefined : scalarText(item);
    if (part === undefined) {
      throw call.wrongElement(0, "strings, ints and bools", item);
    }
    return part;
  });
  const length = parts.reduce((sum, part) => sum + part.length, delimiter.length * Math.max(parts.length - 1, 0));
  call.budget.spendText(length);
  return parts.join(delimiter);
}
