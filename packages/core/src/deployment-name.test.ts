import assert from "node:assert/strict";
import { it } from "node:test";
import { isDeploymentName } from "./deployment-name.ts";

for (const [name, expected] of [
  ["rad-deploy-1.0_(a)", true],
  ["x".repeat(64), true],
  ["x".repeat(65), false],
  ["", false],
  ["a/b", false],
  ["a b", false],
  ["a\n", false],
  ["ä", false],
] as const) {
  it(`${expected ? "accepts" : "refuses"} the deployment name ${JSON.stringify(name.slice(0, 70))}`, () => {
    assert.equal(isDeploymentName(name), expected);
  });
}
