import { parseBicep } from "../../syntax/index.ts";
import { formatBicep } from "../format.ts";
import type { FormatOptions } from "../format-options.ts";

/** What it shows, the source and the layout it gets. */
export type FormatCase = readonly [what: string, source: string, expected: string];

/** The layout of a file without its final newline, and what laying it out again makes of it. */
export function formatTwice(
  source: string,
  options: Partial<FormatOptions> = {},
  parse: typeof parseBicep = parseBicep,
): { readonly once: string; readonly twice: string } {
  const chosen = { insertFinalNewline: false, ...options };
  const once = formatBicep(parse(source), chosen);
  return { once, twice: formatBicep(parse(once), chosen) };
}
