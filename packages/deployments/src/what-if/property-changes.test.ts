import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "@rad/core";
import { propertyChanges } from "./property-changes.ts";

const changes = (before: JsonObject, after: JsonObject) =>
  propertyChanges({ before, after, changedSecrets: [], warnings: [] });

it("shows members of objects by their dotted path", () => {
  const before = { tags: { a: "1", b: "2" }, properties: { deep: { x: 1 }, same: [1] } };
  const after = { tags: { a: "1", c: "3" }, properties: { deep: { x: 2 }, same: [1] } };

  assert.deepEqual(changes(before, after), [
    { path: "tags.b", propertyChangeType: "Delete", before: "2" },
    { path: "tags.c", propertyChangeType: "Create", after: "3" },
    { path: "properties.deep.x", propertyChangeType: "Modify", before: 1, after: 2 },
  ]);
});

it("shows a value of another kind as a whole", () => {
  assert.deepEqual(changes({ a: { b: 1 } }, { a: [1] }), [
    { path: "a", propertyChangeType: "Modify", before: { b: 1 }, after: [1] },
  ]);
});

const arrays: readonly (readonly [what: string, before: JsonValue[], after: JsonValue[], children: JsonValue[]])[] = [
  ["one more at the front", [1, 2], [0, 1, 2], [{ path: "0", propertyChangeType: "Create", after: 0 }]],
  ["one less in the middle", [1, 2, 3], [1, 3], [{ path: "1", propertyChangeType: "Delete", before: 2 }]],
  ["another value", [1, 2, 3], [1, 5, 3], [{ path: "1", propertyChangeType: "Modify", before: 2, after: 5 }]],
  [
    "a changed object",
    [{ name: "a", n: 1 }],
    [{ name: "a", n: 2 }],
    [
      {
        path: "0",
        propertyChangeType: "Modify",
        children: [{ path: "n", propertyChangeType: "Modify", before: 1, after: 2 }],
      },
    ],
  ],
  [
    "an array in an array",
    [[1], [2]],
    [[1], [2, 3]],
    [{ path: "1", propertyChangeType: "Array", children: [{ path: "1", propertyChangeType: "Create", after: 3 }] }],
  ],
];

for (const [what, before, after, children] of arrays) {
  it(`compares arrays by position: ${what}`, () => {
    assert.deepEqual(changes({ list: before }, { list: after }), [
      { path: "list", propertyChangeType: "Array", children },
    ]);
  });
}

it("tells of secrets that they change, and nothing else", () => {
  const preview = {
    before: { properties: { old: null } },
    after: { properties: { fresh: null, "a/b": null } },
    changedSecrets: [
      { pointer: "/properties/fresh", change: "create" },
      { pointer: "/properties/old", change: "delete" },
      { pointer: "/properties/a~1b", change: "modify" },
    ],
    warnings: [],
  } as const;

  assert.deepEqual(
    propertyChanges(preview).map(({ path, propertyChangeType, before, after }) => [
      path,
      propertyChangeType,
      before,
      after,
    ]),
    [
      ["properties.fresh", "Create", null, null],
      ["properties.old", "Delete", null, null],
      ["properties.a/b", "Modify", null, null],
    ],
  );
});

it("finds nothing in what is equal and something in what is not", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()), (a, b) => {
      const [one, other] = JSON.parse(JSON.stringify([a, b])) as [JsonObject, JsonObject];
      assert.deepEqual(changes(one, structuredClone(one)), []);
      let isEqual = true;
      try {
        assert.deepEqual(one, other);
      } catch {
        isEqual = false;
      }
      assert.equal(changes(one, other).length === 0, isEqual);
    }),
  );
});

it("shows what is too deep as one change", () => {
  const nested = (depth: number, leaf: JsonValue): JsonObject =>
    depth === 0 ? { leaf } : { a: nested(depth - 1, leaf) };

  const [change] = changes(nested(200, 1), nested(200, 2));

  assert.equal(change?.propertyChangeType, "Modify");
  assert.ok((change?.path.length ?? 0) < 200);
});
