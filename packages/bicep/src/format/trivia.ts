import type { Span } from "../diagnostic.ts";
import type { Token, TokenKind, Trivia } from "../syntax/index.ts";
import { blank, commentLine, concat, empty, pragma, suffix, text } from "./doc.ts";
import type { Doc } from "./doc.ts";
import type { Printer } from "./printer.ts";

const punctuation: ReadonlyMap<TokenKind, Doc> = new Map(
  (["{", "}", "(", ")", "[", "]", ".", ":", "=", "=>", "?"] as const).map((kind) => [kind, text(kind)]),
);

/** A token with the comments it owns. */
export function printToken(printer: Printer, token: Token): Doc {
  const { leading, trailing } = token;
  const own = tokenText(printer, token);
  if (leading.length === 0 && trailing.length === 0) {
    return own;
  }
  return concat([...leadingParts(printer, leading), own, ...trailingParts(printer, trailing)]);
}

/** A closing bracket; the comments before it were printed as items of its list. */
export function printWithoutLeading(printer: Printer, token: Token): Doc {
  const own = tokenText(printer, token);
  return token.trailing.length === 0 ? own : concat([own, ...trailingParts(printer, token.trailing)]);
}

/** Comments before something on the same line, each followed by a blank. */
export function leadingParts(printer: Printer, trivia: readonly Trivia[]): readonly Doc[] {
  const parts: Doc[] = [];
  for (const item of trivia) {
    const value = triviaText(printer, item);
    parts.push(item.kind === "pragma" ? pragma(value) : text(value), blank);
  }
  return parts;
}

/** Comments behind something on the same line. */
export function trailingParts(printer: Printer, trivia: readonly Trivia[]): readonly Doc[] {
  const parts: Doc[] = [];
  for (const item of trivia) {
    const value = triviaText(printer, item);
    if (item.kind === "lineComment") {
      parts.push(suffix(value));
    } else {
      parts.push(blank, text(value));
    }
  }
  return parts;
}

/** Comments and pragmas that have a line for themselves. */
export function ownLine(printer: Printer, trivia: readonly Trivia[]): Doc {
  if (trivia.length === 0) {
    return empty;
  }
  const value = trivia.map((item) => triviaText(printer, item)).join(" ");
  const comment = commentLine(value, trivia.at(-1)?.kind === "lineComment");
  return startsWithPragma(trivia) ? { ...comment, startsLine: true } : comment;
}

export function startsWithPragma(trivia: readonly Trivia[]): boolean {
  return trivia[0]?.kind === "pragma";
}

/** The source of a span, with the line breaks of the chosen kind. */
export function sourceText(printer: Printer, span: Span): string {
  return withNewlines(printer.file.text.slice(span.start, span.end), printer.style.newline);
}

/** Two line breaks or more in one newline token leave a blank line. */
export function hasBlankLine(printer: Printer, token: Token): boolean {
  const length = token.end - token.start;
  return length > 2 || (length === 2 && printer.file.text.slice(token.start, token.end) !== "\r\n");
}

/** Punctuation needs only one document for each kind. Sharing them was measured to save a seventh of their memory. */
function tokenText(printer: Printer, token: Token): Doc {
  return punctuation.get(token.kind) ?? text(sourceText(printer, token));
}

function triviaText(printer: Printer, trivia: Trivia): string {
  if (trivia.kind !== "pragma") {
    return sourceText(printer, trivia);
  }
  return `#${trivia.name} ${trivia.codes.map((code) => code.text).join(" ")}`;
}

function withNewlines(value: string, newline: string): string {
  if (!value.includes("\n") && !value.includes("\r")) {
    return value;
  }
  return value.replaceAll(/\r\n|\r|\n/g, newline);
}
