import { isArray, isObject, printJson } from "@rad/templates";
import type { Value } from "@rad/templates";
import type { SizeBudget } from "./size-budget.ts";

/** JSON as compiled files have it: two blanks a level, `\n`, no newline at the end, every digit of an integer. */
export function jsonText(value: Value, budget: SizeBudget): string {
  const writer = new JsonWriter(budget);
  writer.write(value, new Level("\n"));
  return writer.text();
}

const manyPieces = 2000;

class JsonWriter {
  readonly #budget: SizeBudget;
  // Pieces that exist anyway (names, separators) rather than sentences made of them: less to collect as garbage.
  readonly #pieces: string[] = [];
  readonly #finished: string[] = [];

  constructor(budget: SizeBudget) {
    this.#budget = budget;
  }

  text(): string {
    this.#finish();
    return this.#finished.join("");
  }

  /** A list of all pieces would have to grow and be copied again and again. */
  #finish(): void {
    this.#finished.push(this.#pieces.join(""));
    this.#pieces.length = 0;
  }

  /** The level is that of the line that the value starts on. */
  write(value: Value, level: Level): void {
    if (typeof value === "string") {
      this.#writeText(value);
    } else if (isArray(value)) {
      this.#writeArray(value, level);
    } else if (isObject(value)) {
      this.#writeObject(value, level);
    } else {
      this.#add(typeof value === "number" ? printJson(value) : String(value));
    }
  }

  #writeText(value: string): void {
    if (mustBeEscaped.test(value)) {
      this.#add(printJson(value));
    } else {
      this.#budget.spend(value.length + 2);
      this.#pieces.push('"', value, '"');
    }
  }

  #writeArray(value: readonly Value[], { newline, inner }: Level): void {
    if (value.length === 0) {
      this.#add("[]");
      return;
    }
    let separator = "[";
    for (const item of value) {
      this.#add(separator);
      this.#add(inner.newline);
      this.write(item, inner);
      separator = ",";
    }
    this.#add(newline);
    this.#add("]");
  }

  #writeObject(value: ReadonlyMap<string, Value>, { newline, inner }: Level): void {
    if (value.size === 0) {
      this.#add("{}");
      return;
    }
    let separator = "{";
    value.forEach((member, name) => {
      this.#add(separator);
      this.#add(inner.startOf(name));
      this.write(member, inner);
      separator = ",";
    });
    this.#add(newline);
    this.#add("}");
  }

  #add(piece: string): void {
    this.#budget.spend(piece.length);
    this.#pieces.push(piece);
    if (this.#pieces.length > manyPieces) {
      this.#finish();
    }
  }
}

/** The lines of one indentation. Members of the same name are frequent, so how they begin is made once. */
class Level {
  /** A line break and the indentation after it. */
  readonly newline: string;
  readonly #starts = new Map<string, string>();
  #inner: Level | undefined;

  constructor(newline: string) {
    this.newline = newline;
  }

  get inner(): Level {
    this.#inner ??= new Level(`${this.newline}  `);
    return this.#inner;
  }

  /** The line of a member up to its value. */
  startOf(name: string): string {
    let start = this.#starts.get(name);
    if (start === undefined) {
      start = `${this.newline}${printJson(name)}: `;
      this.#starts.set(name, start);
    }
    return start;
  }
}

/** What JSON of templates does not hold as it stands. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const mustBeEscaped = /["\\\u0000-\u001f\u0085\u2028\u2029]/;
