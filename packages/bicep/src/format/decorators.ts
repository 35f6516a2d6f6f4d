import { isToken } from "../syntax/index.ts";
import type { Decorated } from "../syntax/index.ts";
import { concat, newline } from "./doc.ts";
import type { Doc } from "./doc.ts";
import { Entries, joined } from "./entries.ts";
import type { Printer } from "./printer.ts";

/** Something with its decorators above it, each on its own line, without blank lines between them. */
export function printDecorated(printer: Printer, node: Decorated, decorated: Doc): Doc {
  if (node.leading.length === 0) {
    return decorated;
  }
  const entries = new Entries(printer);
  for (const part of node.leading) {
    if (isToken(part) && part.kind === "newline") {
      entries.addDecoratorNewline(part);
    } else {
      entries.add(part);
    }
  }
  entries.addItem(decorated);
  return concat(joined(entries.trimmed(), newline));
}
