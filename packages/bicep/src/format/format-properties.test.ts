import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { parseBicep } from "../syntax/index.ts";
import { formatBicep } from "./format.ts";
import { commentsOf, outline } from "./testing/outline.ts";
import { randomSource } from "./testing/random-source.ts";

const width = fc.constantFrom(0, 10, 20, 40, 80, 120);
const anySource = randomSource({ blankOnlyLines: true });
const settledSource = randomSource({ blankOnlyLines: false });

it("writes programs that parse, as the random ones do", () => {
  fc.assert(
    fc.property(anySource, width, (source, columns) => {
      assert.deepEqual(parseBicep(source).diagnostics, []);
      assert.deepEqual(parseBicep(formatBicep(source, { width: columns })).diagnostics, []);
    }),
  );
});

it("keeps the tree of a program", () => {
  fc.assert(
    fc.property(anySource, width, (source, columns) => {
      const formatted = formatBicep(source, { width: columns });

      assert.equal(outline(parseBicep(formatted)), outline(parseBicep(source)));
    }),
  );
});

it("keeps every comment and pragma, in order", () => {
  fc.assert(
    fc.property(anySource, width, (source, columns) => {
      const formatted = formatBicep(source, { width: columns });

      assert.deepEqual(commentsOf(parseBicep(formatted)), commentsOf(parseBicep(source)));
    }),
  );
});

it("has nothing left to do after one run where nothing is too wide", () => {
  fc.assert(
    fc.property(settledSource, (source) => {
      const once = formatBicep(source, { width: 10_000 });

      assert.equal(formatBicep(once, { width: 10_000 }), once);
    }),
  );
});

it("has nothing left to do after two runs", () => {
  fc.assert(
    fc.property(anySource, width, (source, columns) => {
      const twice = formatBicep(formatBicep(source, { width: columns }), { width: columns });

      assert.equal(formatBicep(twice, { width: columns }), twice);
    }),
  );
});

it("writes no blanks at the end of a line, but for those in comments and strings", () => {
  fc.assert(
    fc.property(settledSource, width, (source, columns) => {
      assert.doesNotMatch(formatBicep(source, { width: columns }), /[ \t]\n(?! )/);
    }),
  );
});

it("loses no text of a damaged program", () => {
  const edit = fc.record({
    at: fc.nat(1000),
    removed: fc.nat(3),
    added: fc.constantFrom(
      "",
      "'",
      "{",
      "}",
      "(",
      ")",
      "[",
      "]",
      "${",
      "@",
      "// c\n",
      "/*",
      "\n",
      "=",
      "'''",
      "x",
      "?",
      "|",
    ),
  });
  fc.assert(
    fc.property(anySource, fc.array(edit, { minLength: 1, maxLength: 3 }), width, (source, edits, columns) => {
      let damaged = source;
      for (const { at, removed, added } of edits) {
        const place = at % (damaged.length + 1);
        damaged = damaged.slice(0, place) + added + damaged.slice(place + removed);
      }

      assert.equal(essence(formatBicep(damaged, { width: columns })), essence(damaged));
    }),
  );
});

it("never throws over random text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (source) => {
      assert.equal(typeof formatBicep(source), "string");
    }),
  );
});

/** What formatting never changes, in broken files either. */
function essence(source: string): string {
  return source.replaceAll(/[\s,|]/g, "");
}
