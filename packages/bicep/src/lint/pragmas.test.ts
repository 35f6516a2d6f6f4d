import assert from "node:assert/strict";
import { it } from "node:test";
import { error, warning } from "../diagnostic.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { parseBicep } from "../syntax/index.ts";
import { applyPragmas } from "./pragmas.ts";

/** A finding of `rule` at every `!` of the source; the lines on which they survive. */
function survivors(source: string, make: (start: number) => Diagnostic): number[] {
  const file = parseBicep(source);
  const all = Array.from(source.matchAll(/!/gu), ({ index }) => make(index));
  return applyPragmas(file, all).map(({ span }) => file.lineMap.position(span.start).line);
}

const finding = (start: number) => warning("rule", { start, end: start + 1 }, "");

const rows: readonly (readonly [sentence: string, source: string, lines: readonly number[]])[] = [
  ["without pragmas everything stays", "!\n!", [1, 2]],
  ["the next line is silent, the one after is not", "!\n#disable-next-line rule\n!\n!", [1, 4]],
  ["the end of the file ends a line too", "#disable-next-line rule\n!", []],
  ["other codes are not meant, letter case counts", "#disable-next-line other Rule\n!", [2]],
  ["several codes can be named", "#disable-next-line other rule\n!", []],
  ["a section lasts until it is restored", "#disable-diagnostics rule\n!\n!\n#restore-diagnostics rule\n!", [5]],
  ["or until the end of the file", "!\n#disable-diagnostics rule\n!\n!", [1]],
  ["a section that was never begun cannot end", "#restore-diagnostics rule\n!", [2]],
  [
    "a section begun twice ends once",
    "#disable-diagnostics rule\n#disable-diagnostics rule\n#restore-diagnostics rule\n!",
    [4],
  ],
  ["a section begun again goes on", "#disable-diagnostics rule\n!\n#disable-diagnostics rule\n!", []],
  ["a line inside of a section changes nothing", "#disable-diagnostics rule\n#disable-next-line rule\n!\n!\n!", []],
];

for (const [sentence, source, lines] of rows) {
  it(sentence, () => {
    assert.deepEqual(survivors(source, finding), lines);
  });
}

it("errors of the compiler cannot be switched off, its warnings can", () => {
  const source = "#disable-next-line BCP001\n!";

  const errors = survivors(source, (start) => error("BCP001", { start, end: start + 1 }, ""));
  const warnings = survivors(source, (start) => warning("BCP001", { start, end: start + 1 }, ""));

  assert.deepEqual([errors, warnings], [[2], []]);
});

it("the linter can be silenced even where it reports errors", () => {
  const found = survivors("#disable-next-line rule\n!", (start) => error("rule", { start, end: start + 1 }, ""));

  assert.deepEqual(found, []);
});
