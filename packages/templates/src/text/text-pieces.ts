import { escapeText } from "./escape-text.ts";

/** Enough that joining them is worth while, few enough that their list stays small. */
const manyPieces = 2048;

/**
 * Text that is put together from many short pieces. They are joined some thousands at a time: a list of all of them
 * grows and is copied again and again, and text that grows by concatenation leaves an object for each piece.
 */
export class TextPieces {
  readonly #pieces: string[] = []; // written over again once they are joined
  readonly #joined: string[] = [];
  #count = 0;

  add(piece: string): void {
    this.#pieces[this.#count] = piece;
    this.#count += 1;
    if (this.#count === manyPieces) {
      this.#join();
    }
  }

  /** Adds text as a string of JSON. Nearly all of it needs no escape. */
  addQuoted(text: string): void {
    this.add('"');
    this.add(mustBeEscaped.test(text) ? escapeText(text) : text);
    this.add('"');
  }

  text(): string {
    this.#pieces.length = this.#count;
    this.#join();
    return this.#joined.join("");
  }

  #join(): void {
    this.#joined.push(this.#pieces.join(""));
    this.#count = 0;
  }
}

/** What `escapeText` looks for, one character after the other. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const mustBeEscaped = /["\\\u0000-\u001f\u0085\u2028\u2029]/;
