import { isToken } from "../syntax/index.ts";
import type { Expected, Node, Token, Trivia } from "../syntax/index.ts";
import { blank, concat, newline, text } from "./doc.ts";
import type { Doc } from "./doc.ts";
import type { Printer } from "./printer.ts";
import { hasBlankLine, ownLine, trailingParts } from "./trivia.ts";

/** Commas between arguments and parameters are printed; those of other lists give way to lines. */
export type Commas = "kept" | "dropped";

const comma = text(",");

/**
 * The lines of a list: its items, its comment lines, and one `newline` for each blank line that stays.
 *
 * A newline token with two line breaks or more leaves a blank line. So does every newline token but the first in a row
 * of them, because a line of blanks parts two tokens: formatting again makes one blank line of all of these.
 */
export class Entries {
  readonly #printer: Printer;
  readonly #commas: Commas;
  readonly #docs: Doc[] = [];
  /** Where the last item is, not counting comments and blank lines. */
  #lastItem = -1;
  /** What the source has directly before the next part. */
  #before: "start" | "item" | "comma" | "newline" | "longNewline" | "comment" | "verbatim" = "start";

  constructor(printer: Printer, commas: Commas = "dropped") {
    this.#printer = printer;
    this.#commas = commas;
  }

  addAll(parts: readonly (Node | Token)[]): this {
    for (const part of parts) {
      this.add(part);
    }
    return this;
  }

  add(part: Node | Token): void {
    if (!isToken(part)) {
      this.#addNode(part);
    } else if (part.kind === "newline") {
      this.#addNewline(part, hasBlankLine(this.#printer, part));
    } else if (part.kind === ",") {
      this.addSeparatorComments(part.leading);
      this.trimmed(); // blank lines before a comma go
      this.#before = "comma";
    } else {
      this.addItem(this.#printer.print(part));
    }
  }

  /** Newlines between decorators and what they decorate, where blank lines go. */
  addDecoratorNewline(token: Token): void {
    if (!hasBlankLine(this.#printer, token)) {
      this.#addNewline(token, false);
    } else {
      this.addSeparatorComments(token.leading);
      this.#before = "longNewline";
    }
  }

  addItem(doc: Doc): void {
    this.#docs.push(this.#commas === "kept" ? this.#withComma(doc) : doc);
    this.#lastItem = this.#docs.length - 1;
    this.#before = "item";
  }

  /** Everything, with the comments before the closing bracket as the last line. */
  closedBy(close: Expected): readonly Doc[] {
    this.trimmed();
    if (isToken(close)) {
      this.addSeparatorComments(close.leading);
    }
    return this.#docs;
  }

  /** Something that did not parse. The comments behind it are left to themselves. */
  addVerbatim(doc: Doc): void {
    this.addItem(doc);
    this.#before = "verbatim";
  }

  /** The comments before a comma, a newline, a closing bracket or the end of the file. */
  addSeparatorComments(trivia: readonly Trivia[]): void {
    // Most tokens own the comment behind them. An item that ends in one that does not keeps it all the same.
    if (this.#before === "item") {
      this.#addBehindItem(trailingParts(this.#printer, trivia));
    } else {
      this.#addCommentLine(trivia);
    }
  }

  /** Everything so far, without blank lines at the end. */
  trimmed(): readonly Doc[] {
    while (this.#docs.at(-1) === newline) {
      this.#docs.pop();
    }
    return this.#docs;
  }

  #addNode(node: Node): void {
    // Decorators that nothing follows are lines like others, with newlines among them.
    if (node.kind === "DanglingDecorators") {
      this.addAll(node.leading);
    } else {
      this.addItem(this.#printer.print(node));
    }
  }

  #addNewline(token: Token, isLong: boolean): void {
    this.addSeparatorComments(token.leading);
    const isBlankLine = isLong || this.#before === "newline";
    if (isBlankLine && this.#docs.length > 0) {
      this.#docs.push(newline);
    }
    this.#before = isLong ? "longNewline" : "newline";
  }

  #addCommentLine(trivia: readonly Trivia[]): void {
    if (trivia.length > 0) {
      this.#docs.push(ownLine(this.#printer, trivia));
      this.#before = "comment";
    }
  }

  #addBehindItem(comments: readonly Doc[]): void {
    const item = this.#docs[this.#lastItem];
    if (item !== undefined && comments.length > 0) {
      this.#docs[this.#lastItem] = concat([item, ...comments]);
    }
  }

  #withComma(doc: Doc): Doc {
    const previous = this.#docs[this.#lastItem];
    if (previous === undefined) {
      return doc;
    }
    // Parameters may have their comma on the next line, where it stays if a comment would swallow it.
    if (previous.endsInLineComment) {
      return concat([comma, blank, doc]);
    }
    this.#docs[this.#lastItem] = concat([previous, comma]);
    return doc;
  }
}

/** Entries with a separator between them; a blank line has its own line break. */
export function joined(entries: readonly Doc[], separator: Doc): Doc[] {
  const parts: Doc[] = [];
  let previous: Doc | undefined;
  for (const entry of entries) {
    if (previous !== undefined && previous !== newline) {
      parts.push(separator);
    }
    parts.push(entry);
    previous = entry;
  }
  return parts;
}
