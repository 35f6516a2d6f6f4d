import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applicationNameFor, nameProblem } from "./names.ts";

for (const [folder, expected] of [
  ["shop", "shop"],
  ["My Shop", "my-shop"],
  ["2024-shop", "shop"],
  ["shop_", "shop"],
  ["日本", "app"],
  ["", "app"],
] as const) {
  test(`the application of the folder "${folder}" is called ${expected}`, () => {
    assert.equal(applicationNameFor(folder), expected);
  });
}

test("every folder gives a name that an application can have", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (folder) => {
      assert.equal(nameProblem("application", applicationNameFor(folder)), undefined);
    }),
  );
});
