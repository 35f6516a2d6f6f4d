import type { Span } from "../diagnostic.ts";
import type { Token } from "../syntax/index.ts";
import { concat, empty, suffix, text } from "./doc.ts";
import type { Doc } from "./doc.ts";
import type { Printer } from "./printer.ts";
import { sourceText } from "./trivia.ts";

/** A part of the source as it is, with the comments of its first and last token, without the blanks around it. */
export function printVerbatim(printer: Printer, span: Span): Doc {
  const { tokens } = printer.file;
  const first = tokens[countTokens(tokens, (token) => token.start < span.start)];
  // A missing part at the end of the span reaches up to the next token, but the comments before that are not ours.
  const last = tokens[countTokens(tokens, (token) => token.end <= span.end && token.kind !== "endOfFile") - 1];
  if (span.start === span.end || first === undefined || last === undefined) {
    return empty;
  }
  const start = first.leading[0]?.start ?? first.start;
  const lineComment = trailingLineComment(last);
  const end = lineComment?.start ?? last.trailing.at(-1)?.end ?? last.end;
  const value = text(sourceText(printer, { start, end }).trim());
  return lineComment === undefined ? value : concat([value, suffix(sourceText(printer, lineComment))]);
}

function trailingLineComment(token: Token): Span | undefined {
  const last = token.trailing.at(-1);
  return last?.kind === "lineComment" ? last : undefined;
}

/** How many tokens come before something, by halving. */
function countTokens(tokens: readonly Token[], isBefore: (token: Token) => boolean): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const token = tokens[middle];
    if (token !== undefined && isBefore(token)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
