import fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import { printJson } from "./json-printer.ts";
import { atOnce } from "./sliced.ts";

test("any value is printed as JSON.stringify prints it, small or among many", () => {
  const filler = Array.from({ length: 1_200 }, (_, index) => index);
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: false }).filter(isPlain), (value) => {
      assert.equal(atOnce(printJson(value)), JSON.stringify(value) ?? "null");
      const large = { filler, nested: [value, { value }], value };
      assert.equal(atOnce(printJson(large)), JSON.stringify(large));
    }),
  );
});

test("dates, absent members and long texts are printed too", () => {
  const filler = Array.from({ length: 1_200 }, () => ({}));
  const value = { at: new Date(0), absent: undefined, list: [undefined, "é".repeat(100_000)], filler };
  assert.equal(atOnce(printJson(value)), JSON.stringify(value));
  assert.equal(atOnce(printJson("x".repeat(1_000_000))), JSON.stringify("x".repeat(1_000_000)));
});

test("printing much pauses", () => {
  const work = printJson(Array.from({ length: 100_000 }, (_, index) => [index]));
  let pauses = 0;
  while (work.next().done !== true) {
    pauses += 1;
  }
  assert.ok(pauses > 0);
});

/** What JSON can say, and `undefined`. */
function isPlain(value: unknown): boolean {
  if (typeof value === "object" && value !== null) {
    const prototype: unknown = Object.getPrototypeOf(value);
    return (
      (prototype === Object.prototype || Array.isArray(value)) &&
      !("toJSON" in value) &&
      Object.values(value).every(isPlain)
    );
  }
  return typeof value !== "bigint" && typeof value !== "symbol" && typeof value !== "function";
}
