import assert from "node:assert/strict";
import { test } from "node:test";
import { resolvePath } from "./json-path.ts";

const document = {
  parameters: { "a.b": { x: 1 }, a: { b: 2 } },
  resources: [{ name: "r", "it's": [{ deep: true }] }],
  "x[0]": 1,
};

for (const [path, expected] of [
  ["$", []],
  ["$.parameters.a.b", ["parameters", "a.b"]],
  ["$.parameters.a.b.x", ["parameters", "a.b", "x"]],
  ["parameters.a", ["parameters", "a"]],
  ["$['parameters']['a.b']", ["parameters", "a.b"]],
  ["$.resources[0].name", ["resources", 0, "name"]],
  ["$.resources[0]['it\\'s'][0].deep", ["resources", 0, "it's", 0, "deep"]],
  ["$.resources[0].missing.deeper", ["resources", 0]],
  ["$.resources.name", ["resources"]],
  ["$.resourcesX", []],
  ["$.x[0]", ["x[0]"]],
  ["nonsense", []],
] as const) {
  test(`${path} leads to ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(resolvePath(document, path), expected);
  });
}
