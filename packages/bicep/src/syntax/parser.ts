import type { Diagnostic, Span } from "../diagnostic.ts";
import { maxDiagnostics, syntaxErrors } from "./diagnostics.ts";
import type { Expected, Identifier, Node, Skipped } from "./nodes.ts";
import type { ScanResult } from "./scanner.ts";
import { Token } from "./tokens.ts";
import type { TokenKind } from "./tokens.ts";

/** Builds a diagnostic for the place where it is needed. */
export type Complaint = (span: Span) => Diagnostic;

/** Where skipping stops. The end of the file always stops it. */
export type Terminators = readonly TokenKind[];

/**
 * How deep expressions, types and declarations may contain one another. Real files stay below 30. The worst mixture of
 * constructs takes some 3 kB of stack a level, so the parser needs about half of Node's 984 kB at this depth.
 */
const maxNesting = 150;

/** Thrown by `raise` and caught by `recover`: nothing but a long jump, so one object serves all. */
class Abandoned extends Error {}
const abandoned = new Abandoned("the rule being parsed was abandoned");

/**
 * What all the parsing rules share: the place in the tokens, and the three ways to deal with an error.
 *
 * - `raise` gives up on the current rule: the nearest `recover` around it takes over.
 * - `recover` runs a rule. If that raises, everything the rule built is dropped together with its diagnostics, tokens
 *   are skipped up to a terminator, and one `Skipped` node with one diagnostic stands for all of it.
 * - `mark` reports and goes on with an empty `Skipped` node.
 *
 * There is no backtracking, so parsing is linear in the number of tokens.
 */
export class Parser {
  readonly text: string;
  readonly diagnostics: Diagnostic[] = [];
  readonly #tokens: readonly Token[];
  readonly #endOfFile: Token;
  readonly #malformedStrings: ReadonlySet<Token>;
  #at = 0;
  #lastId = -1;
  #nesting = 0;
  #raised: Diagnostic | undefined;
  #isHopeless = false;

  /** The longest chain and the deepest nesting since `resetDepth`: together they bound the depth of the tree. */
  longestChain = 0;
  deepestNesting = 0;

  constructor(text: string, scanned: ScanResult) {
    this.text = text;
    this.#tokens = scanned.tokens;
    this.#endOfFile = scanned.endOfFile;
    this.#malformedStrings = scanned.malformedStrings;
  }

  /** The `id` of a new node. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  // ------------------------------------------------------------------------------------------ looking

  get next(): Token {
    return this.#tokenAt(this.#at);
  }

  /** The place of the next token; `tokensFrom` takes it back. */
  get position(): number {
    return this.#at;
  }

  at(kind: TokenKind): boolean {
    return this.next.kind === kind;
  }

  atWord(word: string): boolean {
    return this.isWord(this.next, word);
  }

  /** At the first token of a string, `count` tokens ahead. */
  atString(count = 0): boolean {
    const { kind } = this.ahead(count);
    return kind === "stringComplete" || kind === "stringLeft";
  }

  /** At the end of a line or of the file. */
  atLineEnd(): boolean {
    const { kind } = this.next;
    return kind === "newline" || kind === "endOfFile";
  }

  isWord(token: Token, word: string): boolean {
    return (
      token.kind === "identifier" && token.end - token.start === word.length && this.text.startsWith(word, token.start)
    );
  }

  /** The token after `count` others. */
  ahead(count: number): Token {
    return this.#tokenAt(this.#at + count);
  }

  /** The first token from `count` on that is no newline. */
  aheadPastNewlines(count: number): Token {
    let at = this.#at + count;
    while (this.#tokenAt(at).kind === "newline") {
      at += 1;
    }
    return this.#tokenAt(at);
  }

  textOf(token: Token): string {
    return this.text.slice(token.start, token.end);
  }

  isMalformed(token: Token): boolean {
    return this.#malformedStrings.size > 0 && this.#malformedStrings.has(token);
  }

  // ------------------------------------------------------------------------------------------ taking

  take(): Token {
    const token = this.next;
    if (token.kind !== "endOfFile") {
      this.#at += 1;
    }
    return token;
  }

  takeIf(kind: TokenKind): Token | undefined {
    return this.at(kind) ? this.take() : undefined;
  }

  expect(kind: TokenKind): Token {
    return this.at(kind) ? this.take() : this.raise((span) => syntaxErrors.expectedCharacter(span, kind));
  }

  expectWord(word: string, complaint: Complaint = (span) => syntaxErrors.expectedKeyword(span, word)): Token {
    return this.atWord(word) ? this.take() : this.raise(complaint);
  }

  takeNewlines(): readonly Token[] {
    if (!this.at("newline")) {
      return noTokens;
    }
    const taken = [this.take()];
    while (this.at("newline")) {
      taken.push(this.take());
    }
    return taken;
  }

  /** Takes newlines straight into a list that holds more than them. */
  takeNewlinesInto(items: (Node | Token)[]): void {
    while (this.at("newline")) {
      items.push(this.take());
    }
  }

  // ------------------------------------------------------------------------------------------ names

  identifier(): Identifier {
    const token = this.take();
    return {
      kind: "Identifier",
      id: this.nextId(),
      start: token.start,
      end: token.end,
      token,
      name: this.textOf(token),
    };
  }

  expectIdentifier(complaint: Complaint): Identifier {
    return this.at("identifier") ? this.identifier() : this.raise(complaint);
  }

  /** A name, or skipping to a terminator. */
  recoverIdentifier(complaint: Complaint, terminators: Terminators, isSilent = false): Identifier {
    if (this.at("identifier")) {
      return this.identifier();
    }
    return identifierFrom(this.fail(complaint, terminators, isSilent), this.nextId());
  }

  /** A name, or nothing. */
  markIdentifier(complaint: Complaint): Identifier {
    return this.at("identifier") ? this.identifier() : identifierFrom(this.mark(complaint), this.nextId());
  }

  // ------------------------------------------------------------------------------------------ errors

  report(diagnostic: Diagnostic): void {
    if (this.diagnostics.length < maxDiagnostics) {
      this.diagnostics.push(diagnostic);
    }
  }

  /** Gives up on the current rule. A newline is complained about in front of it, not over it. */
  raise(complaint: Complaint, token: Token = this.next): never {
    this.#raised = complaint(placeOf(token));
    throw abandoned;
  }

  /** The same as to `recover` a rule that raises at once, without the cost of doing so. */
  fail(complaint: Complaint, stopAt: Terminators, isSilent = false): Skipped {
    const from = this.#at;
    if (!isSilent) {
      this.report(complaint(placeOf(this.next)));
    }
    this.skipTo(stopAt);
    return this.skippedFrom(from);
  }

  mark(complaint: Complaint): Skipped {
    const { start } = this.next;
    this.report(complaint({ start, end: start }));
    return { kind: "Skipped", id: this.nextId(), start, end: start, items: noTokens };
  }

  // Four plain arguments rather than a closure and an options object: every slot of every declaration comes by here.
  recover<A, T>(
    rule: (parser: Parser, argument: A) => T,
    argument: A,
    stopAt: Terminators,
    isSilent = false,
  ): T | Skipped {
    const from = this.#at;
    const reported = this.diagnostics.length;
    const nesting = this.#nesting;
    try {
      return rule(this, argument);
    } catch (error) {
      if (error !== abandoned || this.#isHopeless) {
        throw error;
      }
      this.#nesting = nesting;
      this.#dropDiagnostics(reported);
      if (!isSilent && this.#raised !== undefined) {
        this.report(this.#raised);
      }
      this.skipTo(stopAt);
      return this.skippedFrom(from);
    }
  }

  /** A token that must come, or skipping to a terminator. */
  recoverToken(kind: TokenKind, stopAt: Terminators, isSilent = false): Expected {
    return this.takeIf(kind) ?? this.fail((span) => syntaxErrors.expectedCharacter(span, kind), stopAt, isSilent);
  }

  /** Runs a statement's rule. One that is nested too deeply takes the rest of the file with it. */
  recoverStatement<T>(rule: (parser: Parser) => T): T | Skipped {
    const from = this.#at;
    const reported = this.diagnostics.length;
    try {
      return this.recover(rule, undefined, ["newline"]);
    } catch (error) {
      if (error !== abandoned) {
        throw error;
      }
      this.#isHopeless = false;
      this.#nesting = 0;
      this.#dropDiagnostics(reported);
      this.report(syntaxErrors.nestingTooDeep(this.next));
      this.skipTo([]);
      return this.skippedFrom(from);
    }
  }

  skipTo(stopAt: Terminators): void {
    while (!this.at("endOfFile") && !stopAt.includes(this.next.kind)) {
      this.#at += 1;
    }
  }

  skippedFrom(from: number): Skipped {
    const items = from === this.#at ? noTokens : this.#tokens.slice(from, this.#at);
    const start = this.#tokenAt(from).start;
    return { kind: "Skipped", id: this.nextId(), start, end: items.at(-1)?.end ?? start, items };
  }

  // ------------------------------------------------------------------------------------------ depth

  enter(): void {
    this.#nesting += 1;
    if (this.#nesting > maxNesting) {
      this.#isHopeless = true;
      throw abandoned;
    }
    if (this.#nesting > this.deepestNesting) {
      this.deepestNesting = this.#nesting;
    }
  }

  leave(): void {
    this.#nesting -= 1;
  }

  /** Operators and member accesses in a row nest to the left: the tree is as deep as the row is long. */
  noteChain(length: number): void {
    if (length > this.longestChain) {
      this.longestChain = length;
    }
  }

  resetDepth(): void {
    this.longestChain = 0;
    this.deepestNesting = 0;
  }

  #dropDiagnostics(length: number): void {
    if (this.diagnostics.length > length) {
      this.diagnostics.length = length;
    }
  }

  #tokenAt(index: number): Token {
    return this.#tokens[index] ?? this.#endOfFile;
  }
}

export const noTokens: readonly Token[] = [];

function placeOf(token: Token): Span {
  return token.kind === "newline" ? { start: token.start, end: token.start } : token;
}

/** What stands for a name that was not there. */
function identifierFrom(skipped: Skipped, id: number): Identifier {
  const { start, end } = skipped;
  return { kind: "Identifier", id, start, end, token: skipped, name: start === end ? "<missing>" : "<error>" };
}

/**
 * Whether the slot after this one stays silent. A slot where nothing was written has complained already; one that
 * skipped something leaves the next slot to complain for itself.
 */
export function silences(slot: Node | Token | undefined): boolean {
  if (slot === undefined || slot.start !== slot.end || slot instanceof Token) {
    return false;
  }
  return slot.kind === "Skipped" || (slot.kind === "Identifier" && slot.token.kind === "Skipped");
}
