import { RE2JS } from "re2js";

/** A `pattern` keyword. RE2 never backtracks: the time grows with text times program, whatever the pattern says. */
export interface Pattern {
  readonly source: string;
  /** Instructions of the compiled program; together with the length of a text it bounds the work of one match. */
  readonly size: number;
  test(text: string): boolean;
}

const maxPatternLength = 1000;

/** Roughly 10 µs to compile per instruction at worst, measured on `(a{10}){10}`. */
const maxPatternSize = 5000;

/** @throws Error with a one-line reason. */
export function compilePattern(source: string): Pattern {
  if (source.length > maxPatternLength) {
    throw new Error(`must not be longer than ${maxPatternLength} characters`);
  }
  // RE2 unrolls counted repetitions before it looks at the result, so the size is estimated beforehand.
  if (estimateSize(source) > maxPatternSize) {
    throw new Error("repeats too much; use smaller repeat counts");
  }
  const program = compile(source);
  return { source, size: program.programSize(), test: (text) => program.test(text) };
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source));
  } catch (error) {
    const detail = error instanceof Error ? error.message.replace(/^error parsing regexp: /, "") : String(error);
    throw new Error(`is not a supported regular expression (RE2 syntax): ${oneLine(detail)}`, { cause: error });
  }
}

function oneLine(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
}

const repeatCount = /^\{(\d*)(?:,(\d*))?\}/;

/** How large the program becomes: one per character or class, multiplied by the repeat counts around it. */
export function estimateSize(source: string): number {
  const outer: number[] = [];
  let total = 0;
  let atom = 0;
  for (let index = 0; index < source.length; index += 1) {
    switch (source[index]) {
      case "(":
        outer.push(total + atom);
        total = 0;
        atom = 0;
        continue;
      case ")":
        atom += total + 2;
        total = outer.pop() ?? 0;
        continue;
      case "{": {
        const count = repeatCount.exec(source.slice(index, index + 16));
        if (count !== null) {
          atom *= Math.max(1, Number(count[1] ?? 0), Number(count[2] ?? 0));
          index += count[0].length - 1;
          continue;
        }
        break;
      }
      case "[":
        index = endOfClass(source, index);
        break;
      case "\\":
        index += 1;
        break;
      default:
        break;
    }
    total += atom;
    atom = 1;
  }
  return outer.reduce((sum, size) => sum + size, total + atom);
}

function endOfClass(source: string, start: number): number {
  // A `]` right at the beginning (or after `^`) belongs to the class.
  let index = source[start + 1] === "^" ? start + 3 : start + 2;
  while (index < source.length && source[index] !== "]") {
    index += source[index] === "\\" ? 2 : 1;
  }
  return index;
}
