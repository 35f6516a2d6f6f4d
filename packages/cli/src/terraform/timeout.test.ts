import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration, readTimeout } from "./timeout.ts";

for (const [text, ms] of [
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["1h30m", 5_400_000],
  ["1.5h", 5_400_000],
  ["250ms", 250],
  ["0s", 0],
  ["", undefined],
  ["10", undefined],
  ["-5m", undefined],
  ["5 m", undefined],
  ["1d", undefined],
  ["m", undefined],
  ["1h30", undefined],
] as const) {
  test(`the duration "${text}" is ${ms === undefined ? "refused" : `${ms} ms`}`, () => {
    assert.equal(parseDuration(text), ms);
  });
}

test("waiting gives up after ten minutes unless told otherwise, and without --wait there is none", () => {
  assert.deepEqual(readTimeout({ wait: true }), { ms: 600_000, text: "10m" });
  assert.deepEqual(readTimeout({ wait: true, timeout: "1h30m" }), { ms: 5_400_000, text: "1h30m" });
  assert.equal(readTimeout({}), undefined);
});
