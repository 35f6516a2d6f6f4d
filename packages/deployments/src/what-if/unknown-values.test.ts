import assert from "node:assert/strict";
import { it } from "node:test";
import { unknownPointers, withCurrentValues, withoutUnknown, withUnknownTexts } from "./unknown-values.ts";

const body = { a: "[x]", list: [1, "[y]"], deep: { "k/1": "[z]", known: "[[text]" } };

it("finds what is not known", () => {
  assert.deepEqual(unknownPointers(body), ["/a", "/list/1", "/deep/k~11"]);
});

it("fills in what is there now", () => {
  assert.deepEqual(withCurrentValues(body, { a: 5, list: [7, 8], deep: { "k/1": null } }), {
    a: 5,
    list: [1, 8],
    deep: { "k/1": "[z]", known: "[[text]" },
  });
});

it("puts the texts back in their places", () => {
  const stored = { added: true, a: 5, list: [1, 8], deep: { "k/1": null, known: "[[text]" } };

  assert.deepEqual(withUnknownTexts(stored, body), { added: true, ...body });
});

it("leaves out what is not known, and arrays that have some of it", () => {
  assert.deepEqual(withoutUnknown({ ...body, fine: [1] }), { deep: { known: "[[text]" }, fine: [1] });
});
