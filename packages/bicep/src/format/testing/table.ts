import assert from "node:assert/strict";
import { it } from "node:test";
import { parseParams } from "../../syntax/index.ts";
import { formatBicep } from "../format.ts";
import type { FormatOptions } from "../format-options.ts";

/** What it shows, the source and the layout it gets. */
export type FormatCase = readonly [what: string, source: string, expected: string];

/** One test for each case: the layout is as expected, and laying it out again changes nothing. */
export function formatTable(cases: readonly FormatCase[], options: Partial<FormatOptions> = {}): void {
  for (const [what, source, expected] of cases) {
    it(what, () => {
      const once = formatBicep(source, { insertFinalNewline: false, ...options });

      assert.equal(once, expected);
      assert.equal(formatBicep(once, { insertFinalNewline: false, ...options }), expected);
    });
  }
}

/** The same for parameters files. */
export function formatParamsTable(cases: readonly FormatCase[]): void {
  for (const [what, source, expected] of cases) {
    it(what, () => {
      assert.equal(formatBicep(parseParams(source), { insertFinalNewline: false }), expected);
    });
  }
}
