import { parseBicep } from "../syntax/index.ts";
import type { SyntaxFile } from "../syntax/index.ts";
import { lineStyleOf } from "./format-options.ts";
import type { FormatOptions } from "./format-options.ts";
import { printFile } from "./print-file.ts";
import { createPrinter } from "./print-node.ts";
import { render } from "./render.ts";

/**
 * Lays out a file. Text is read as a `.bicep` file; for a `.bicepparam` file pass what `parseParams` makes of it.
 * Tokens and comments stay what they are, up to commas, line endings and the first bar of a union. What has syntax
 * errors keeps its own layout.
 */
export function formatBicep(source: string | SyntaxFile, options: Partial<FormatOptions> = {}): string {
  const file = typeof source === "string" ? parseBicep(source) : source;
  const style = lineStyleOf(options);
  const lines = withoutFinalNewlines(render(printFile(createPrinter(file, style)), style));
  return style.endsWithNewline ? lines + style.newline : lines;
}

/** A comment or string that never ends has the last line break inside. */
function withoutFinalNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) {
    end -= 1;
  }
  return text.slice(0, end);
}
