import type { Node, SyntaxFile, Token } from "../syntax/index.ts";
import { concat, spaced } from "./doc.ts";
import type { Doc } from "./doc.ts";
import type { LineStyle } from "./format-options.ts";

/** What the printers of the single nodes need: the source, and a way to print what is inside a node. */
export interface Printer {
  readonly file: SyntaxFile;
  readonly style: LineStyle;
  readonly print: (part: Node | Token) => Doc;
}

type OptionalPart = Node | Token | undefined;

/** Parts with one blank between them. */
export function words(printer: Printer, ...parts: readonly OptionalPart[]): Doc {
  return spaced(printAll(printer, parts));
}

/** Parts with nothing between them. */
export function glued(printer: Printer, ...parts: readonly OptionalPart[]): Doc {
  return concat(printAll(printer, parts));
}

function printAll(printer: Printer, parts: readonly OptionalPart[]): Doc[] {
  const docs: Doc[] = [];
  for (const part of parts) {
    if (part !== undefined) {
      docs.push(printer.print(part));
    }
  }
  return docs;
}
