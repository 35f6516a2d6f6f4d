import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Column } from "./table.ts";
import { renderTable } from "./table.ts";

type Row = readonly (string | undefined)[];

function columns(...headings: readonly string[]): Column<Row>[] {
  return headings.map((heading, index) => ({ heading, value: (row) => row[index] }));
}

test("columns are at least ten wide, cells are followed by two blanks, the last one by none", () => {
  const text = renderTable(columns("RESOURCE", "TYPE", "GROUP", "STATE"), [
    ["orders", "Contoso.Messaging/queues", "default", "Succeeded"],
    ["a-rather-long-name", "X.Y/z", "dev", ""],
  ]);

  assert.equal(
    text,
    [
      "RESOURCE            TYPE                      GROUP     STATE",
      "orders              Contoso.Messaging/queues  default   Succeeded",
      "a-rather-long-name  X.Y/z                     dev       ",
      "",
    ].join("\n"),
  );
});

test("headings are printed for no rows at all", () => {
  assert.equal(renderTable(columns("GROUP", "ID"), []), "GROUP     ID\n");
});

test("a cell with line breaks takes several lines, blank in the other columns", () => {
  assert.equal(
    renderTable(columns("NAME", "TEXT", "END"), [["a", "one\ntwo\r\nthree", "z"]]),
    "NAME      TEXT      END\na         one       z\n          two       \n          three     \n",
  );
});

test("a missing value is blank", () => {
  assert.equal(renderTable(columns("NAME", "STATE"), [["a", undefined]]), "NAME      STATE\na         \n");
});

test("wide characters count as what they take on the screen", () => {
  const [, first = "", second = ""] = renderTable(columns("NAME", "END"), [
    ["日本語日本語", "|"],
    ["abc", "|"],
  ]).split("\n");

  assert.equal(first, "日本語日本語  |");
  assert.equal(second, "abc           |");
});

test("no control character of a cell reaches the terminal", () => {
  const hostile = renderTable(columns("A", "B"), [["\u001b[31mred\u001b[0m", "x\u0007\u009b2J\ty"]]);

  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  assert.doesNotMatch(hostile, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

test("every cell of a column starts where its heading does", () => {
  const word = fc.stringMatching(/^[a-zA-Z0-9.-]{0,30}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word, word), { maxLength: 8 }), (rows) => {
      const [heading = "", ...lines] = renderTable(columns("ONE", "TWO", "THREE"), rows)
        .split("\n")
        .slice(0, -1);
      const starts = ["ONE", "TWO", "THREE"].map((name) => heading.indexOf(name));

      assert.equal(lines.length, rows.length);
      for (const [index, line] of lines.entries()) {
        const cells = starts.map((start, column) => line.slice(start, starts[column + 1]).trimEnd());
        assert.deepEqual(cells, rows[index]);
      }
    }),
  );
});
