import assert from "node:assert/strict";
import { it } from "node:test";
import {
  isUnknownAt,
  unknownPointers,
  withCurrentValues,
  withFormerValues,
  withoutUnknown,
  withUnknownTexts,
} from "./unknown-values.ts";

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

it("takes what was there for what is not known, be it nothing", () => {
  const stored = { ...body, deep: { "k/1": "[z]", known: 2 } };

  assert.deepEqual(withFormerValues(stored, { list: [5, 6], deep: { "k/1": null, known: 1 } }, body), {
    list: [1, 6],
    deep: { "k/1": null, known: 2 },
  });
  assert.deepEqual(withFormerValues({ list: [1] }, { list: [null] }, { list: ["[y]"] }), { list: [null] });
  assert.deepEqual(withFormerValues(stored, { list: [5] }, body), { list: [1, "[y]"], deep: { known: 2 } });
});

it("knows nothing of an object in which the name of a member is not known", () => {
  const tags = { tags: { "[x]": 1, fixed: 2 } };

  assert.deepEqual(unknownPointers(tags), ["/tags"]);
  assert.deepEqual(withCurrentValues(tags, { tags: { a: 1 } }), { tags: { a: 1 } });
  assert.deepEqual(withoutUnknown(tags), {});
  assert.ok(isUnknownAt("/tags/a", ["/tags"]));
  assert.ok(!isUnknownAt("/tagsOfAll", ["/tags"]));
});
