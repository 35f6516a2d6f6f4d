import { isArray, isObject, printJson, TextPieces } from "@rad/templates";
import type { Value } from "@rad/templates";
import type { SizeBudget } from "./size-budget.ts";

/** JSON as compiled files have it: two blanks a level, `\n`, no newline at the end, every digit of an integer. */
export function jsonText(value: Value, budget: SizeBudget): string {
  const writer = new JsonWriter(budget);
  writer.write(value, new Level("\n"));
  return writer.text();
}

class JsonWriter {
  readonly #budget: SizeBudget;
  readonly #pieces = new TextPieces();

  constructor(budget: SizeBudget) {
    this.#budget = budget;
  }

  text(): string {
    return this.#pieces.text();
  }

  /** The level is that of the line that the value starts on. */
  write(value: Value, level: Level): void {
    if (typeof value === "string") {
      this.#budget.spend(value.length + 2);
      this.#pieces.addQuoted(value);
    } else if (isArray(value)) {
      this.#writeArray(value, level);
    } else if (isObject(value)) {
      this.#writeObject(value, level);
    } else {
      this.#add(typeof value === "number" ? printJson(value) : String(value));
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
    let opening: Opening = "{";
    value.forEach((member, name) => {
      this.#add(inner.startOf(opening, name));
      this.write(member, inner);
      opening = ",";
    });
    this.#add(newline);
    this.#add("}");
  }

  #add(piece: string): void {
    this.#budget.spend(piece.length);
    this.#pieces.add(piece);
  }
}

/** What comes before a member: the first one opens the object. */
type Opening = "{" | ",";

/** The lines of one indentation. Members of the same name are frequent, so how they begin is made once. */
class Level {
  /** A line break and the indentation after it. */
  readonly newline: string;
  readonly #starts = { "{": new Map<string, string>(), ",": new Map<string, string>() };
  #inner: Level | undefined;

  constructor(newline: string) {
    this.newline = newline;
  }

  get inner(): Level {
    this.#inner ??= new Level(`${this.newline}  `);
    return this.#inner;
  }

  /** The line of a member up to its value, and the mark before it. */
  startOf(opening: Opening, name: string): string {
    const starts = this.#starts[opening];
    let start = starts.get(name);
    if (start === undefined) {
      start = `${opening}${this.newline}${printJson(name)}: `;
      starts.set(name, start);
    }
    return start;
  }
}
