import assert from "node:assert/strict";
import { test } from "node:test";
import { durationText } from "./duration-text.ts";

for (const [duration, expected] of [
  ["PT0S", "0ms"],
  ["PT0.0314S", "31ms"],
  ["PT1M2.345S", "1m 2.3s"],
  ["PT2H", "2h"],
  ["P1DT0.5S", "1d 0.5s"],
  ["soon", "soon"],
  [undefined, ""],
] as const) {
  test(`${duration} is shown as "${expected}"`, () => {
    assert.equal(durationText(duration), expected);
  });
}
