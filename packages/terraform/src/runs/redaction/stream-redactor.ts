import { isSpacing, type Pattern, PatternTrie } from "./pattern-trie.ts";
import { spellingsOf } from "./secret-spellings.ts";

/** The text of `@rad/core`, which would be most of what the supervisor loads at its start. */
const hidden = "[redacted]";

interface Mark {
  readonly from: number;
  to: number;
}

/** A secret whose beginning was found, and of which more may follow. */
interface Tail {
  readonly rest: string;
  at: number;
}

/** What secrets look like, worked out once for all streams of a run. */
export function secretPatterns(secrets: Iterable<string>): PatternTrie {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    for (const spelling of spellingsOf(secret)) {
      spellings.add(spelling);
    }
  }
  return new PatternTrie(spellings);
}

/** Takes secrets out of a text that is complete. */
export function redactText(trie: PatternTrie, text: string): string {
  const redactor = new StreamRedactor(trie);
  return redactor.push(text) + redactor.end();
}

/**
 * Takes secrets out of a text that arrives in pieces, wherever the pieces and the lines break. It holds back only what
 * may still turn out to be the beginning of a secret, which is seldom more than a character or two.
 *
 * Positions count characters since the beginning. `#pending` is what has not been returned, from `#start` on.
 */
export class StreamRedactor {
  readonly #trie: PatternTrie;
  #pending = "";
  #start = 0;
  #node = 0;
  /** Positions of the last characters that the trie was shown, as many as `#node` is deep. */
  #shown: number[] = [];
  #marks: Mark[] = [];
  #tails: Tail[] = [];
  /** Up to where a mark has been returned, so that one that grows or touches it is told only once. */
  #toldUpTo = -1;

  constructor(trie: PatternTrie) {
    this.#trie = trie;
  }

  /** @returns what is certain to be clean */
  push(text: string): string {
    if (this.#trie.isEmpty) {
      return text;
    }
    const from = this.#start + this.#pending.length;
    this.#pending += text;
    for (let at = 0; at < text.length; at += 1) {
      this.#look(text.charCodeAt(at), from + at);
    }
    return this.#take(this.#certainUpTo());
  }

  /** @returns the rest: nothing follows that could complete a secret */
  end(): string {
    const rest = this.#take(this.#start + this.#pending.length);
    this.#node = 0;
    this.#shown = [];
    this.#tails = [];
    return rest;
  }

  #look(code: number, position: number): void {
    if (this.#node === 0 && this.#tails.length === 0 && !this.#trie.startsWith(code)) {
      return;
    }
    if (isSpacing(code)) {
      return;
    }
    if (this.#tails.length > 0) {
      this.#follow(code, position);
    }
    this.#node = this.#trie.step(this.#node, code);
    const depth = this.#trie.depth(this.#node);
    this.#shown.push(position);
    this.#shown.splice(0, this.#shown.length - depth);
    for (const pattern of this.#trie.matches(this.#node)) {
      this.#found(pattern, position);
    }
  }

  #found({ key, rest, exact }: Pattern, position: number): void {
    const from = this.#shown[this.#shown.length - key.length] ?? position;
    const to = position + 1;
    if (exact !== undefined && !this.#spelled(exact, from, to)) {
      return;
    }
    this.#mark(from, to);
    if (rest !== "") {
      this.#tails.push({ rest, at: 0 });
    }
  }

  /** The trie has seen the characters that are no spacing; where `exact` begins or ends with some, it is around them. */
  #spelled(exact: string, from: number, to: number): boolean {
    return this.#pending.slice(from - this.#start, to - this.#start) === exact.trim();
  }

  #follow(code: number, position: number): void {
    this.#tails = this.#tails.filter((tail) => tail.rest.charCodeAt(tail.at) === code);
    if (this.#tails.length > 0) {
      this.#mark(this.#marks.at(-1)?.to ?? this.#toldUpTo, position + 1);
      for (const tail of this.#tails) {
        tail.at += 1;
      }
      this.#tails = this.#tails.filter((tail) => tail.at < tail.rest.length);
    }
  }

  #mark(from: number, to: number): void {
    let start = from;
    let end = to;
    for (let last = this.#marks.at(-1); last !== undefined && last.to >= start; last = this.#marks.at(-1)) {
      start = Math.min(start, last.from);
      end = Math.max(end, last.to);
      this.#marks.pop();
    }
    this.#marks.push({ from: start, to: end });
  }

  #certainUpTo(): number {
    const end = this.#start + this.#pending.length;
    const held = this.#shown[0] ?? end;
    if (this.#tails.length === 0) {
      return held;
    }
    return Math.min(held, this.#marks.at(-1)?.to ?? Math.max(this.#toldUpTo, this.#start)); // spacing may be inside of it
  }

  /** Returns everything before `end`, and forgets it. A mark is told once it begins. */
  #take(end: number): string {
    let clean = "";
    let at = this.#start;
    while (this.#marks.length > 0) {
      const [mark] = this.#marks;
      if (mark === undefined || mark.from >= end) {
        break;
      }
      clean += this.#pending.slice(at - this.#start, mark.from - this.#start);
      if (mark.from > this.#toldUpTo) {
        clean += hidden;
      }
      this.#toldUpTo = mark.to;
      at = Math.min(mark.to, end);
      if (mark.to > end) {
        this.#marks[0] = { from: end, to: mark.to }; // its end is still held back
        break;
      }
      this.#marks.shift();
    }
    if (at < end) {
      clean += this.#pending.slice(at - this.#start, end - this.#start);
    }
    this.#pending = this.#pending.slice(end - this.#start);
    this.#start = end;
    return clean;
  }
}
