import { isArray, isObject, printJson } from "@rad/templates";
import type { Value } from "@rad/templates";
import type { SizeBudget } from "./size-budget.ts";

/** JSON as compiled files have it: two blanks a level, `\n`, no newline at the end, every digit of an integer. */
export function jsonText(value: Value, budget: SizeBudget): string {
  const writer = new JsonWriter(budget);
  writer.write(value, "\n");
  return writer.text();
}

class JsonWriter {
  readonly #budget: SizeBudget;
  // Pieces that exist anyway (names, separators) rather than sentences made of them: less to collect as garbage.
  readonly #pieces: string[] = [];
  readonly #names = new Map<string, string>();

  constructor(budget: SizeBudget) {
    this.#budget = budget;
  }

  text(): string {
    return this.#pieces.join("");
  }

  /** `newline` is a line break and the indentation of the line that the value starts on. */
  write(value: Value, newline: string): void {
    if (isArray(value)) {
      this.#writeArray(value, newline);
    } else if (isObject(value)) {
      this.#writeObject(value, newline);
    } else {
      this.#add(typeof value === "string" ? quoted(value) : printJson(value));
    }
  }

  #writeArray(value: readonly Value[], newline: string): void {
    if (value.length === 0) {
      this.#add("[]");
      return;
    }
    const inner = `${newline}  `;
    let separator = "[";
    for (const item of value) {
      this.#add(separator);
      this.#add(inner);
      this.write(item, inner);
      separator = ",";
    }
    this.#add(newline);
    this.#add("]");
  }

  #writeObject(value: ReadonlyMap<string, Value>, newline: string): void {
    if (value.size === 0) {
      this.#add("{}");
      return;
    }
    const inner = `${newline}  `;
    let separator = "{";
    value.forEach((member, name) => {
      this.#add(separator);
      this.#add(inner);
      this.#add(this.#nameText(name));
      this.write(member, inner);
      separator = ",";
    });
    this.#add(newline);
    this.#add("}");
  }

  #nameText(name: string): string {
    let text = this.#names.get(name);
    if (text === undefined) {
      text = `${quoted(name)}: `;
      this.#names.set(name, text);
    }
    return text;
  }

  #add(piece: string): void {
    this.#budget.spend(piece.length);
    this.#pieces.push(piece);
  }
}

const rarelyEscaped = /[\u0085\u2028\u2029\ud800-\udfff]/;

/** The built-in printer is fast and right, but for some line breaks that templates escape and for broken surrogates. */
function quoted(value: string): string {
  return rarelyEscaped.test(value) ? printJson(value) : JSON.stringify(value);
}
