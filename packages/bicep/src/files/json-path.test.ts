import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "@rad/templates";
import fc from "fast-check";
import { selectByPath } from "./json-path.ts";

const shop = parseJson(`{
  "name": "shop",
  "odd name": 1,
  "items": [
    { "id": 1, "price": 2.5, "tags": ["a"], "on": true },
    { "id": 2, "price": 10, "tags": ["b", "c"] },
    { "id": 3, "price": 4, "tags": [], "on": false, "name": "x" }
  ],
  "deep": { "name": "inner", "none": null }
}`);

for (const [path, expected] of [
  ["$", [shop]],
  ["", [shop]],
  [".name", ["shop"]],
  ["name", ["shop"]],
  ["$.deep.name", ["inner"]],
  ["$['odd name']", [1n]],
  [`$["name", "odd name"]`, ["shop", 1n]],
  [".items[0].id", [1n]],
  [".items[-1].id", [3n]],
  [".items[0, 2].id", [1n, 3n]],
  [".items[1:].id", [2n, 3n]],
  [".items[:2].id", [1n, 2n]],
  [".items[0:3:2].id", [1n, 3n]],
  [".items[*].id", [1n, 2n, 3n]],
  [".items.*.id", [1n, 2n, 3n]],
  ["..name", ["shop", "x", "inner"]],
  ["..tags[0]", ["a", "b"]],
  [".items[?(@.price > 3)].id", [2n, 3n]],
  [".items[?(@.price >= 4 && @.price < 10)].id", [3n]],
  [".items[?(@.id == 1 || @.name == 'x')].id", [1n, 3n]],
  [".items[?(@.on)].id", [1n, 3n]],
  [".items[?(@.on != true)].id", [3n]],
  [".deep.none", [null]],
  [".nobody", []],
  [".name.nobody", []],
  [".items[9]", []],
] as const) {
  test(`the path ${JSON.stringify(path)} selects what it names`, () => {
    assert.deepEqual(selectByPath(shop, path), expected);
  });
}

for (const path of [".", "$.", "$..", ".a[", ".a[]", ".a['x]", "[?(@.a >)]", ".a b", "[1:2:3:4]", "[::0]", "[?(@.a"]) {
  test(`the path ${JSON.stringify(path)} is not valid`, () => {
    assert.equal(selectByPath(shop, path), undefined);
  });
}

test("no text makes the reader throw", () => {
  const piece = fc.constantFrom(
    "$",
    ".",
    "..",
    "[",
    "]",
    "*",
    "?(",
    ")",
    "@",
    "'a'",
    "a",
    "1",
    ":",
    ",",
    "==",
    "&&",
    " ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      selectByPath(shop, pieces.join(""));
    }),
  );
});
