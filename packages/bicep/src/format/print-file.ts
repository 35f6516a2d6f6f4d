import type { Span } from "../diagnostic.ts";
import { isToken, walk } from "../syntax/index.ts";
import type { Node, SyntaxFile, Token } from "../syntax/index.ts";
import { concat, newline } from "./doc.ts";
import type { Doc } from "./doc.ts";
import { Entries, joined } from "./entries.ts";
import type { Printer } from "./printer.ts";
import { printVerbatim } from "./verbatim.ts";

/** The statements of a file, one under the other. What does not parse stays as it was written. */
export function printFile(printer: Printer): Doc {
  const { program } = printer.file;
  const errors = createErrorLookup(printer.file);
  const isBroken = printer.file.diagnostics.length > 0;
  const entries = new Entries(printer);
  const add = (part: Node | Token): void => {
    if (isToken(part)) {
      entries.add(part);
    } else if (part.kind === "DanglingDecorators") {
      part.leading.forEach(add);
    } else if (part.kind === "Skipped" || errors.isIn(part) || (isBroken && hasSkippedText(part))) {
      entries.addVerbatim(printVerbatim(printer, part));
    } else {
      entries.addItem(printer.print(part));
    }
  };
  program.items.forEach(add);
  entries.addSeparatorComments(program.endOfFile.leading);
  return concat(joined(entries.trimmed(), newline));
}

/** Finds the errors that the parser no longer reports, because a file has too many of them. */
function hasSkippedText(statement: Node): boolean {
  let isFound = false;
  walk(statement, (node) => {
    isFound ||= node.kind === "Skipped";
    return node.kind !== "LambdaParameters"; // what is not a name there is the checker's to report
  });
  return isFound;
}

interface ErrorLookup {
  /** Whether an error lies in a span, its two ends included. */
  isIn(span: Span): boolean;
}

function createErrorLookup(file: SyntaxFile): ErrorLookup {
  const spans = file.diagnostics.map((diagnostic) => diagnostic.span);
  spans.sort((left, right) => left.start - right.start);
  return {
    isIn(span) {
      for (let at = firstFrom(spans, span.start); at < spans.length; at += 1) {
        const error = spans[at];
        if (error === undefined || error.start > span.end) {
          return false;
        }
        if (error.end <= span.end) {
          return true;
        }
      }
      return false;
    },
  };
}

function firstFrom(spans: readonly Span[], start: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle] as Span).start < start) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
