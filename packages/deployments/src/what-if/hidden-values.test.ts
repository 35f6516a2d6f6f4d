import assert from "node:assert/strict";
import { it } from "node:test";
import { allMembers, withValuesHidden } from "./hidden-values.ts";

it("says of a hidden value whether it changes, and nothing else", () => {
  const before = { p: { same: 1, other: 1, gone: 1, "a/b": [1, 2] } };
  const after = { p: { same: 1, other: 2, fresh: { deep: 1 }, "a/b": [1, 3], open: 4 } };
  const pointers = ["/p/same", "/p/other", "/p/gone", "/p/fresh/deep", "/p/a~1b/1", "/p/nowhere"];

  const hidden = withValuesHidden({ before, after, changedSecrets: [], warnings: [] }, pointers);

  assert.deepEqual(hidden, {
    before: { p: { same: null, other: null, gone: null, "a/b": [1, null] } },
    after: { p: { same: null, other: null, fresh: { deep: null }, "a/b": [1, null], open: 4 } },
    changedSecrets: [
      { pointer: "/p/other", change: "modify" },
      { pointer: "/p/gone", change: "delete" },
      { pointer: "/p/fresh/deep", change: "create" },
      { pointer: "/p/a~1b/1", change: "modify" },
    ],
    warnings: [],
  });
});

it("hides all of an array in which the hidden value may have had another position", () => {
  const preview = {
    before: { list: ["secret", 1] },
    after: { list: [0, "secret", 1] },
    changedSecrets: [],
    warnings: [],
  };

  assert.deepEqual(withValuesHidden(preview, ["/list/1"]), {
    before: { list: null },
    after: { list: null },
    changedSecrets: [{ pointer: "/list", change: "modify" }],
    warnings: [],
  });
});

it("can hide everything, also of what is new", () => {
  const preview = { before: undefined, after: { "a/b": 1, c: { d: 2 } }, changedSecrets: [], warnings: [] };

  assert.deepEqual(withValuesHidden(preview, allMembers(preview)), {
    before: undefined,
    after: { "a/b": null, c: null },
    changedSecrets: [
      { pointer: "/a~1b", change: "create" },
      { pointer: "/c", change: "create" },
    ],
    warnings: [],
  });
});

it("hides what is hidden as a whole, whatever else is hidden in it, and every member where that is the body", () => {
  const preview = { before: { a: { b: 1 } }, after: { a: { b: 2 }, c: 3 }, changedSecrets: [], warnings: [] };

  assert.deepEqual(withValuesHidden(preview, ["/a/b", "/a"]).after, { a: null, c: 3 });
  assert.deepEqual(withValuesHidden(preview, ["", "/a/b"]), {
    before: { a: null },
    after: { a: null, c: null },
    changedSecrets: [
      { pointer: "/a", change: "modify" },
      { pointer: "/c", change: "create" },
    ],
    warnings: [],
  });
});
