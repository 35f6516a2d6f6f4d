import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { jsonPointer } from "./json-pointer.ts";
import { atOnce } from "./sliced.ts";

it("finds members and items, and nothing where there is nothing", () => {
  const root = { a: [{ "b/c": 1, "~": 2 }], n: null };

  assert.equal(jsonPointer.get(root, "/a/0/b~1c"), 1);
  assert.equal(jsonPointer.get(root, "/a/0/~0"), 2);
  assert.equal(jsonPointer.get(root, "/n"), null);
  for (const pointer of ["/x", "/a/1", "/a/00", "/a/length", "/n/x", "/toString"]) {
    assert.equal(jsonPointer.get(root, pointer), undefined, pointer);
  }
});

it("sets in a copy, making members but no items", () => {
  const root = { a: [1, { b: 2 }] };

  assert.deepEqual(jsonPointer.set(root, "/a/1/b", null), { a: [1, { b: null }] });
  assert.deepEqual(jsonPointer.set(root, "/c/d", 1), { a: [1, { b: 2 }], c: { d: 1 } });
  assert.deepEqual(jsonPointer.set(root, "/a/2/b", null), root);
  assert.deepEqual(jsonPointer.set(root, "", 7), root);
  assert.deepEqual(root, { a: [1, { b: 2 }] });
});

it("sets many values in one copy", () => {
  const root = { a: [1, { b: 2 }], z: {} };
  const values = [
    ["/a/0", 7],
    ["/a/1/b", 8],
    ["/a/1/c/d", 9],
    ["/a/5", 0],
    ["/e", 10],
  ] as const;

  const changed = atOnce(jsonPointer.setAll(root, values));

  assert.deepEqual(changed, { a: [7, { b: 8, c: { d: 9 } }], z: {}, e: 10 });
  assert.deepEqual(root, { a: [1, { b: 2 }], z: {} });
  assert.equal(changed["z"], root.z);
});

it("finds whatever a pointer was made for", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 0 }), { minLength: 1, maxLength: 5 }), (names) => {
      fc.pre(!names.includes("__proto__"));
      const root = names.reduceRight<object>((inner, name) => ({ [name]: inner }), {});
      assert.deepEqual(jsonPointer.get(root as never, jsonPointer.of(names)), {});
      assert.equal(jsonPointer.get(jsonPointer.set({}, jsonPointer.of(names), 7), jsonPointer.of(names)), 7);
    }),
  );
});
