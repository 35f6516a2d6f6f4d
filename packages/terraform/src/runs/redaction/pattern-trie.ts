/** One spelling of a secret, as the trie looks for it. */
export interface Pattern {
  /** Without characters that a line break may bring. At most `maxKeyLength`; `rest` has what follows. */
  readonly key: string;
  readonly rest: string;
  /** Where the characters in between count, because there are too few others to be sure. */
  readonly exact?: string;
}

/** Longer keys would make the trie large; this many characters of a secret are worth hiding by themselves. */
const maxKeyLength = 64;
/** A shorter text that is spread over lines or words is no reason to believe that it is a secret. */
const minSpreadLength = 8;

/** What a line break and what is printed around it consist of: white space and the frame of Terraform's messages. */
export function isSpacing(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0x2502 || code === 0x2577 || code === 0x2575;
}

function withoutSpacing(text: string): string {
  return text.replaceAll(/[\t-\r │╷╵]/gu, "");
}

/**
 * Finds all patterns in a text at once, a character at a time (Aho and Corasick). A node stands for the longest end of the
 * text so far that some key begins with; 0 is the root.
 */
export class PatternTrie {
  readonly #next = new Map<number, number>();
  readonly #parent: number[] = [0];
  readonly #code: number[] = [0];
  readonly #depth: number[] = [0];
  readonly #fail: number[] = [0];
  readonly #patterns = new Map<number, Pattern[]>();
  /** The nearest node on the way of failures that ends a key, itself included; 0 for none. */
  readonly #end: number[] = [0];
  readonly #starts = new Uint8Array(0x10000);

  constructor(spellings: Iterable<string>) {
    for (const spelling of spellings) {
      this.#add(spelling);
    }
    this.#link();
  }

  get isEmpty(): boolean {
    return this.#patterns.size === 0;
  }

  /** Whether a key begins with the character: a text without any needs no further look. */
  startsWith(code: number): boolean {
    return this.#starts[code] === 1;
  }

  step(from: number, code: number): number {
    for (let node = from; ; node = this.#fail[node] ?? 0) {
      const next = this.#next.get(node * 0x10000 + code);
      if (next !== undefined) {
        return next;
      }
      if (node === 0) {
        return 0;
      }
    }
  }

  /** How many characters of the text may still be part of a match. */
  depth(node: number): number {
    return this.#depth[node] ?? 0;
  }

  /** Patterns whose keys end here, longest first. */
  *matches(node: number): Iterable<Pattern> {
    for (let end = this.#end[node] ?? 0; end !== 0; end = this.#end[this.#fail[end] ?? 0] ?? 0) {
      yield* this.#patterns.get(end) ?? [];
    }
  }

  #add(spelling: string): void {
    const whole = withoutSpacing(spelling);
    if (whole === "") {
      return;
    }
    const key = whole.slice(0, maxKeyLength);
    let node = 0;
    for (let at = 0; at < key.length; at += 1) {
      node = this.#child(node, key.charCodeAt(at));
    }
    const pattern: Pattern = {
      key,
      rest: whole.slice(key.length),
      ...(whole.length < minSpreadLength ? { exact: spelling } : {}),
    };
    this.#patterns.set(node, [...(this.#patterns.get(node) ?? []), pattern]);
    this.#starts[key.charCodeAt(0)] = 1;
  }

  #child(node: number, code: number): number {
    const at = node * 0x10000 + code;
    const found = this.#next.get(at);
    if (found !== undefined) {
      return found;
    }
    const child = this.#parent.length;
    this.#next.set(at, child);
    this.#parent.push(node);
    this.#code.push(code);
    this.#depth.push(this.depth(node) + 1);
    return child;
  }

  /** Nodes by depth, so that the way of failures of every shorter one is known. */
  #link(): void {
    const nodes = Array.from(this.#parent.keys()).sort((a, b) => this.depth(a) - this.depth(b));
    for (const node of nodes) {
      if (node === 0) {
        continue;
      }
      const parent = this.#parent[node] ?? 0;
      const fail = parent === 0 ? 0 : this.step(this.#fail[parent] ?? 0, this.#code[node] ?? 0);
      this.#fail[node] = fail;
      this.#end[node] = this.#patterns.has(node) ? node : (this.#end[fail] ?? 0);
    }
  }
}
