import assert from "node:assert/strict";
import { test } from "node:test";
import { readWarnings } from "./warnings.ts";

for (const [name, values, expected] of [
  ["no header", [], []],
  ["one warning", ['299 - "size is unknown"'], ["size is unknown"]],
  ["several headers", ['299 - "a"', '299 - "b"'], ["a", "b"]],
  ["several warnings in one header", ['299 radius "a, b", 299 radius "c"'], ["a, b", "c"]],
  ["the same warning twice", ['299 - "a", 299 - "a"'], ["a"]],
  [
    "quotes and a date",
    [String.raw`299 - "the property \"size\" \\ x" "Mon, 01 Jan 2026 00:00:00 GMT"`],
    [String.raw`the property "size" \ x`],
  ],
  ["a warning about a cache", ['110 - "stale"'], []],
  ["something else", ["careful!"], []],
] as const) {
  test(`the warnings of ${name} are read`, () => {
    const headers = new Headers();
    values.forEach((value) => headers.append("warning", value));

    assert.deepEqual(readWarnings(headers), expected);
  });
}
