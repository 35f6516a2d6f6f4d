import assert from "node:assert/strict";
import { it } from "node:test";
import { objectMember } from "@rad/core";
import { applicationsVersion } from "../version.ts";
import { environments } from "./schema.ts";

it("an environment has the members of upstream's, and the two references to settings", () => {
  const properties = objectMember(environments.versions[applicationsVersion] ?? {}, "properties");
  const recipeConfig = objectMember(objectMember(properties, "recipeConfig"), "properties");
  const terraform = objectMember(objectMember(recipeConfig, "terraform"), "properties");

  const ofUpstream = [
    "compute",
    "extensions",
    "providers",
    "provisioningState",
    "recipeConfig",
    "recipes",
    "simulated",
  ];
  assert.deepEqual(
    Object.keys(properties).toSorted(),
    [...ofUpstream, "bicepSettings", "terraformSettings"].toSorted(),
  );
  assert.deepEqual(Object.keys(recipeConfig).toSorted(), ["bicep", "env", "envSecrets", "terraform"]);
  assert.deepEqual(Object.keys(terraform).toSorted(), ["authentication", "providers"]);
});
