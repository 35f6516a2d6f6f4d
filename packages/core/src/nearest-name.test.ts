import assert from "node:assert/strict";
import { it } from "node:test";
import { nearestName } from "./nearest-name.ts";

const names = ["environment", "application", "port", "x"];

for (const [name, expected] of [
  ["enviroment", "environment"],
  ["Applications", "application"],
  ["prot", "port"],
  ["pxyz", undefined],
  ["porto", "port"],
  ["y", "x"],
  ["somethingElse", undefined],
  ["e".repeat(10_000), undefined],
] as const) {
  it(`takes "${name.slice(0, 20)}" for ${expected ?? "nothing that it knows"}`, () => {
    assert.equal(nearestName(name, names), expected);
  });
}

it("prefers the nearest, and the first of equals", () => {
  assert.equal(nearestName("ports", ["sport", "portz", "port"]), "portz");
});
