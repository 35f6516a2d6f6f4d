import assert from "node:assert/strict";
import { it } from "node:test";
import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import fc from "fast-check";
import { mergeCases, podSpec } from "./cases.ts";
import { podSpecFields } from "./merge-fields.ts";
import { PatchError } from "./patch-error.ts";
import { strategicMerge } from "./strategic-merge.ts";

for (const { name, patch, expected } of mergeCases) {
  it(expected === undefined ? `refuses ${name}` : `merges ${name}`, () => {
    const before = JSON.stringify([podSpec, patch]);
    if (expected === undefined) {
      assert.throws(() => strategicMerge(podSpec, patch, podSpecFields), PatchError);
    } else {
      assert.deepEqual(strategicMerge(podSpec, patch, podSpecFields), expected);
    }
    assert.equal(JSON.stringify([podSpec, patch]), before);
  });
}

it("takes items out of a list of texts, and puts the others in order", () => {
  const patch = { "$deleteFromPrimitiveList/tags": ["b"], "$setElementOrder/tags": ["c", "a"] };

  assert.deepEqual(strategicMerge({ tags: ["a", "b", "c"] }, patch, {}), { tags: ["c", "a"] });
});

it("creates nothing for an item that is to be deleted from a list that is not there", () => {
  const patch = { containers: [{ name: "log", image: "log:1", env: [{ name: "A", $patch: "delete" }] }] };
  const merged = strategicMerge({}, patch, podSpecFields);

  assert.deepEqual(merged, { containers: [{ name: "log", image: "log:1", env: [] }] });
});

it("keeps a member that is called like the prototype a member", () => {
  const patch = JSON.parse('{"annotations": {"__proto__": {"polluted": true}}}') as JsonObject;
  const merged = strategicMerge({ annotations: {} }, patch, {});

  assert.equal(JSON.stringify(merged), JSON.stringify(patch));
  assert.equal(({} as JsonObject)["polluted"], undefined);
});

const name = fc.constantFrom("a", "b", "c", "d");
const item = fc.record({ name, value: fc.oneof(fc.integer(), fc.constant({ x: 1 })) }, { requiredKeys: ["name"] });
const items = fc.uniqueArray(item, { selector: (one) => one.name, maxLength: 4 });
const object = fc.record(
  { items, plain: fc.array(fc.integer(), { maxLength: 3 }), map: fc.dictionary(name, fc.integer()), text: fc.string() },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<JsonObject>;
const deletions = fc
  .uniqueArray(name)
  .map((names): JsonObject => ({ items: names.map((one) => ({ name: one, $patch: "delete" })) }));
const fields = { items: { key: "name" } };

it("gives the same when a patch is merged twice", () => {
  fc.assert(
    fc.property(object, fc.oneof(object, deletions), (original, patch) => {
      const once = strategicMerge(original, patch, fields);
      const twice = strategicMerge(once, patch, fields);
      assert.deepEqual(new Set(namesOf(twice)), new Set(namesOf(once)));
      assert.deepEqual(sortItems(twice), sortItems(once));
    }),
  );
});

it("has every item of the patch, and those of the original in their order", () => {
  fc.assert(
    fc.property(object, object, (original, patch) => {
      const merged = namesOf(strategicMerge(original, patch, fields));
      const patched = namesOf(patch);
      const others = namesOf(original).filter((one) => !patched.includes(one));
      assert.deepEqual(
        merged.filter((one) => patched.includes(one)),
        patched,
      );
      assert.deepEqual(
        merged.filter((one) => !patched.includes(one)),
        others,
      );
      assert.equal(merged.length, patched.length + others.length);
    }),
  );
});

it("leaves no directive behind, whatever the original", () => {
  fc.assert(
    fc.property(object, object, deletions, (original, patch, deletion) => {
      const both = { ...patch, nested: { ...deletion, deep: { $patch: "replace", a: null } }, map: null };
      const text = JSON.stringify(strategicMerge(original, both, fields));
      assert.ok(!text.includes("$") || JSON.stringify(original).includes("$") || JSON.stringify(patch).includes("$"));
    }),
  );
});

function namesOf(value: JsonObject): JsonValue[] {
  const list = value["items"];
  return Array.isArray(list) ? list.filter(isJsonObject).map((one) => one["name"] ?? null) : [];
}

function sortItems(value: JsonObject): JsonObject {
  const list = value["items"];
  return Array.isArray(list) ? { ...value, items: list.toSorted((l, r) => (key(l) < key(r) ? -1 : 1)) } : value;
}

function key(value: JsonValue): string {
  return isJsonObject(value) ? String(value["name"]) : "";
}
