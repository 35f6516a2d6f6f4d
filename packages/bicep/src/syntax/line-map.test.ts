import assert from "node:assert/strict";
import { it } from "node:test";
import { LineMap } from "./line-map.ts";

it("counts lines and columns from 1, whatever ends the lines", () => {
  const map = new LineMap("ab\r\nc\rd\n\ne");

  assert.deepEqual(map.position(0), { line: 1, column: 1 });
  assert.deepEqual(map.position(3), { line: 1, column: 4 });
  assert.deepEqual(map.position(4), { line: 2, column: 1 });
  assert.deepEqual(map.position(6), { line: 3, column: 1 });
  assert.deepEqual(map.position(8), { line: 4, column: 1 });
  assert.deepEqual(map.position(9), { line: 5, column: 1 });
  assert.equal(map.lineCount, 5);
  assert.equal(map.lineStart(3), 6);
});

it("counts UTF-16 units and tabs as one column each", () => {
  const map = new LineMap("\t\u{1F600}x");

  assert.deepEqual(map.position(3), { line: 1, column: 4 });
});

it("takes offsets outside the text as its ends", () => {
  const map = new LineMap("a\n");

  assert.deepEqual(map.position(-1), { line: 1, column: 1 });
  assert.deepEqual(map.position(99), { line: 2, column: 1 });
  assert.equal(map.lineStart(99), 2);
});
