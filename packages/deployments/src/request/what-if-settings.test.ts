import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonValue } from "@rad/core";
import { readWhatIfSettings } from "./what-if-settings.ts";

const read = (whatIfSettings: JsonValue) => readWhatIfSettings({ properties: { whatIfSettings } });

it("shows everything unless told otherwise", () => {
  const everything = { resultFormat: "FullResourcePayloads", changesToIgnore: new Set(), planRecipes: false };

  assert.deepEqual(readWhatIfSettings({ properties: {} }), everything);
  assert.deepEqual(read(null), everything);
});

it("reads the format and what is not wanted in any letter case", () => {
  assert.deepEqual(read({ resultFormat: "resourceidonly", changesToIgnore: ["NoChange"], planRecipes: true }), {
    resultFormat: "ResourceIdOnly",
    changesToIgnore: new Set(["nochange"]),
    planRecipes: true,
  });
});

it("refuses what it does not know", () => {
  assert.throws(() => read({ resultFormat: "Everything" }), { code: "InvalidDeployment" });
  assert.throws(() => read({ changesToIgnore: "NoChange" }), { code: "InvalidRequestContent" });
  assert.throws(() => read({ planRecipes: "yes" }), { code: "InvalidRequestContent" });
  assert.throws(() => read([]), { code: "InvalidRequestContent" });
});
