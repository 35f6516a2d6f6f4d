import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { ignoredRecipeConfig, recipeConfigWarnings } from "./recipe-config-warnings.ts";

const recipeConfig = {
  terraform: { authentication: { git: { pat: {} } }, providers: { aws: [] } },
  bicep: { authentication: {} },
  env: { A: "1" },
  envSecrets: {},
};
const ofTerraform = [
  "recipeConfig.terraform.authentication.git.pat",
  "recipeConfig.terraform.providers",
  "recipeConfig.env",
  "recipeConfig.envSecrets",
];
const ofBicep = ["recipeConfig.bicep.authentication"];

for (const [name, more, ignored] of [
  ["no settings", {}, []],
  ["an empty reference", { terraformSettings: "" }, []],
  ["Terraform settings", { terraformSettings: "/a" }, ofTerraform],
  ["Bicep settings", { bicepSettings: "/b" }, ofBicep],
  ["both", { terraformSettings: "/a", bicepSettings: "/b" }, [...ofTerraform, ...ofBicep]],
] as readonly (readonly [string, JsonObject, readonly string[]])[]) {
  it(`with ${name} an Applications.Core environment ignores just what they replace (S000-191, S000-192)`, () => {
    const properties = { recipeConfig, ...more };

    const paths = ignoredRecipeConfig(properties, "Applications.Core").map(({ path }) => path);
    const warnings = recipeConfigWarnings(properties, "Applications.Core");

    assert.deepEqual(paths, ignored);
    const deprecated = warnings.filter((text) => text.includes("is deprecated"));
    const rest = [...ofTerraform, ...ofBicep].filter((path) => !ignored.includes(path));
    assert.equal(warnings.length, ignored.length + deprecated.length);
    assert.deepEqual(
      deprecated,
      rest.length === 0
        ? []
        : [
            `properties.recipeConfig is deprecated; the environment uses ${rest.join(", ")}. ` +
              "Run 'rad terraform migrate' to move it to settings.",
          ],
    );
  });
}

it("a Radius.Core environment ignores all of it, and an environment without recipeConfig has no warning", () => {
  assert.deepEqual(
    ignoredRecipeConfig({ recipeConfig }, "Radius.Core").map(({ path }) => path),
    [...ofTerraform, ...ofBicep],
  );
  assert.equal(recipeConfigWarnings({ recipeConfig: {} }, "Radius.Core").length, 1);
  for (const family of ["Applications.Core", "Radius.Core"] as const) {
    assert.deepEqual(recipeConfigWarnings({ terraformSettings: "/a" }, family), []);
  }
  assert.deepEqual(recipeConfigWarnings({ recipeConfig: {} }, "Applications.Core"), []);
});
