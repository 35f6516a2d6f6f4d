import fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "./json.ts";
import { sameJson } from "./same-json.ts";
import { atOnce } from "./sliced.ts";

test("agrees with isDeepStrictEqual", () => {
  const value = fc.jsonValue({ maxDepth: 3 }).map((made) => JSON.parse(JSON.stringify(made)) as JsonValue);
  fc.assert(
    fc.property(value, value, (left, right) => {
      assert.equal(atOnce(sameJson(left, right)), isDeepStrictEqual(left, right));
      assert.ok(atOnce(sameJson(left, structuredClone(left))));
    }),
  );
});

test("the order of members does not count, that of items does", () => {
  assert.ok(atOnce(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })));
  assert.ok(!atOnce(sameJson([1, 2], [2, 1])));
  assert.ok(!atOnce(sameJson({ a: null }, { b: null })));
  assert.ok(!atOnce(sameJson({}, { toString: 1 })));
  assert.ok(!atOnce(sameJson({ toString: 1 }, { b: 1 })));
});
