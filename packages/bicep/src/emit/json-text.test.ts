import assert from "node:assert/strict";
import { it } from "node:test";
import type { Value } from "@rad/templates";
import { jsonText } from "./json-text.ts";
import { SizeBudget } from "./size-budget.ts";

it("prints large values with two blanks a level and nothing missing between their parts", () => {
  const rows = Array.from({ length: 3000 }, (_, row): [string, Value] => [
    `row ${row}`,
    new Map<string, Value>([
      ["number", BigInt(row)],
      ["texts", ["plain", `"${row}"\n`, []]],
      ["flags", new Map<string, Value>([["set", row % 2 === 0]])],
      ["nothing", null],
      ["empty", new Map()],
    ]),
  ]);

  const text = jsonText(new Map(rows), new SizeBudget());

  assert.equal(JSON.stringify(JSON.parse(text), undefined, 2), text);
  assert.deepEqual(
    Object.keys(JSON.parse(text)),
    Array.from(rows, ([name]) => name),
  );
  assert.equal(JSON.parse(text)["row 2999"].texts[1], '"2999"\n');
});
