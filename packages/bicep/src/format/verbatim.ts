import type { Span } from "../diagnostic.ts";
import type { SyntaxFile, Token } from "../syntax/index.ts";
import { concat, empty, suffix, text } from "./doc.ts";
import type { Doc } from "./doc.ts";
import type { Printer } from "./printer.ts";
import { sourceText } from "./trivia.ts";

/** A part of the source as it is, with the comments of its first and last token, without the blanks around it. */
export function printVerbatim(printer: Printer, span: Span): Doc {
  const tokens = printer.file.tokens;
  const first = tokens[firstTokenAt(printer.file, span.start)];
  const last = tokens[firstTokenAt(printer.file, span.end) - 1];
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

/** The index of the first token that starts at an offset or after it. */
function firstTokenAt(file: SyntaxFile, offset: number): number {
  let low = 0;
  let high = file.tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((file.tokens[middle] as Token).start < offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
