import { Budget, maxValueDepth } from "../budget.ts";
import { type Pausing, withoutPause } from "../pausing.ts";
import { TemplateError } from "../template-error.ts";
import { fitsInteger } from "./integers.ts";
import type { Value } from "./value.ts";

/**
 * Reads JSON as leniently as templates may write it: comments, single quotes, unquoted names and a comma after the
 * last element are fine, and so are integers in hexadecimal (`0x1F`) and, behind a zero, in octal digits. Integers stay
 * exact, and a repeated name keeps its first place and takes the last value.
 */
export function parseJson(text: string, budget: Budget = new Budget(Infinity)): Value {
  return withoutPause(parseJsonPausing(text, budget));
}

/** The same with pauses. */
export function* parseJsonPausing(text: string, budget: Budget): Pausing<Value> {
  budget.spendReading(text.length);
  const reader = new Reader(text, budget);
  const value = yield* reader.value(0);
  reader.end();
  return value;
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

const words: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

class Reader {
  readonly #text: string;
  readonly #budget: Budget;
  #at = 0;

  constructor(text: string, budget: Budget) {
    this.#text = text;
    this.#budget = budget;
  }

  *value(depth: number): Pausing<Value> {
    return this.#isContainer() ? yield* this.#container(depth) : this.#scalar();
  }

  #isContainer(): boolean {
    this.#budget.spend(3);
    this.#skipTrivia();
    const char = this.#text[this.#at];
    return char === "{" || char === "[";
  }

  #container(depth: number): Pausing<Value> {
    if (depth > maxValueDepth) {
      throw new TemplateError("LimitExceeded", `The JSON text nests more than ${maxValueDepth} levels deep.`);
    }
    return this.#text[this.#at] === "{" ? this.#object(depth) : this.#array(depth);
  }

  #scalar(): Value {
    const char = this.#text[this.#at];
    return char === '"' || char === "'" ? this.#string() : this.#wordOrNumber();
  }

  end(): void {
    this.#skipTrivia();
    if (this.#at < this.#text.length) {
      throw this.#error("there is more text after the value");
    }
  }

  *#object(depth: number): Pausing<Value> {
    const members = new Map<string, Value>();
    this.#budget.spendObjects(1);
    this.#at += 1;
    while (!this.#closes("}")) {
      this.#budget.spend(2);
      const name = this.#name();
      this.#skipTrivia();
      this.#expect(":");
      members.set(name, this.#isContainer() ? yield* this.#container(depth + 1) : this.#scalar());
      if (this.#budget.isDue) {
        yield this.#budget;
      }
      this.#separator("}");
    }
    return members;
  }

  *#array(depth: number): Pausing<Value> {
    const items: Value[] = [];
    this.#at += 1;
    while (!this.#closes("]")) {
      items.push(this.#isContainer() ? yield* this.#container(depth + 1) : this.#scalar());
      if (this.#budget.isDue) {
        yield this.#budget;
      }
      this.#separator("]");
    }
    return items;
  }

  #closes(bracket: string): boolean {
    this.#skipTrivia();
    if (this.#text[this.#at] !== bracket) {
      return false;
    }
    this.#at += 1;
    return true;
  }

  /** A comma, unless the bracket that ends the list comes next. */
  #separator(bracket: string): void {
    this.#skipTrivia();
    if (this.#text[this.#at] !== bracket) {
      this.#expect(",");
    }
  }

  #expect(char: string): void {
    if (this.#text[this.#at] !== char) {
      throw this.#error(`"${char}" is missing`);
    }
    this.#at += 1;
  }

  #name(): string {
    const first = this.#text[this.#at];
    if (first === '"' || first === "'") {
      return this.#string();
    }
    const name = this.#match(/[\p{L}\p{Nd}_$]+/uy);
    if (name === undefined) {
      throw this.#error("a member name is missing");
    }
    return name;
  }

  #string(): string {
    const quote = this.#text[this.#at];
    let result = "";
    let from = this.#at + 1;
    for (let at = from; at < this.#text.length; at += 1) {
      const char = this.#text[at];
      if (char === quote) {
        this.#at = at + 1;
        this.#budget.spend((at - from) >> 3);
        return result + this.#text.slice(from, at);
      }
      if (char === "\\") {
        result += this.#text.slice(from, at);
        this.#at = at + 1;
        this.#budget.spend(1);
        result += this.#escape();
        from = this.#at;
        at = from - 1;
      }
    }
    throw this.#error("a text does not end");
  }

  #escape(): string {
    const char = this.#text[this.#at] ?? "";
    const simple = simpleEscapes.get(char);
    if (simple !== undefined) {
      this.#at += 1;
      return simple;
    }
    const code = this.#match(/u[0-9A-Fa-f]{4}/y);
    if (code === undefined) {
      throw this.#error("an escape is not valid");
    }
    return String.fromCharCode(Number.parseInt(code.slice(1), 16));
  }

  #wordOrNumber(): Value {
    this.#budget.spend(2);
    const token = this.#match(/[-+.A-Za-z0-9]+/y);
    if (token === undefined) {
      throw this.#error(this.#at < this.#text.length ? "a character is out of place" : "the text ends early");
    }
    const word = words.get(token);
    if (word !== undefined) {
      return word;
    }
    if (/^0[^.eE]/.test(token)) {
      return this.#integerOfOtherBase(token);
    }
    if (/^-?[0-9]+$/.test(token)) {
      return this.#integer(token);
    }
    // Digits can match in one way only: two ways would take quadratic time over a long run of them.
    if (!/^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$/.test(token)) {
      throw this.#error("a value is neither a number nor a known word");
    }
    const float = Number(token);
    if (!Number.isFinite(float)) {
      throw this.#error("a number is out of range");
    }
    return float;
  }

  #integerOfOtherBase(token: string): bigint {
    if (/^0x[0-9a-f]{1,16}$/i.test(token)) {
      return BigInt.asIntN(64, BigInt(token));
    }
    if (/^0[0-7]+$/.test(token)) {
      return this.#integer(`0o${token.slice(1)}`);
    }
    throw this.#error("a number that begins with a zero is neither hexadecimal nor octal");
  }

  #integer(token: string): bigint {
    // BigInt() takes quadratic time, and no integer of 64 bits has so many digits.
    const value = token.length > 64 ? undefined : BigInt(token);
    if (value === undefined || !fitsInteger(value)) {
      throw this.#error("an integer does not fit 64 bits");
    }
    return value;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skipTrivia(): void {
    for (;;) {
      this.#match(/[\s\uFEFF]+/y);
      if (this.#text.startsWith("//", this.#at)) {
        this.#match(/[^\r\n]*/y);
      } else if (this.#text.startsWith("/*", this.#at)) {
        const end = this.#text.indexOf("*/", this.#at + 2);
        if (end < 0) {
          throw this.#error("a comment does not end");
        }
        this.#at = end + 2;
      } else {
        return;
      }
    }
  }

  #error(what: string): TemplateError {
    return new TemplateError("InvalidJson", `The JSON text is not valid at offset ${this.#at}: ${what}.`);
  }
}
