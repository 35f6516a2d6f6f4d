import assert from "node:assert/strict";
import { test } from "node:test";
import { hasMoreValues } from "./json.ts";

test("values are counted at every depth", () => {
  const value = { a: [1, null, { b: "text" }], c: {} };

  assert.equal(hasMoreValues(value, 6), true);
  assert.equal(hasMoreValues(value, 7), false);
  assert.equal(hasMoreValues("text", 0), true);
  assert.equal(
    hasMoreValues(
      Array.from({ length: 400_000 }, () => 1),
      10,
    ),
    true,
  );
});
