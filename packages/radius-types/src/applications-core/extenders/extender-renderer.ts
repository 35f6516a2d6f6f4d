import type { JsonObject } from "@rad/core";
import { refuseRecipe } from "../../rendering/environment-recipes.ts";
import type { Renderer } from "../../rendering/renderer.ts";
import { describedMembers } from "./described-members.ts";
import { listSecrets } from "./list-secrets.ts";

/** Renders no objects: every property is a value, and every secret a secret value, for those who connect. */
export const extenderRenderer: Renderer = {
  dependencies: () => [],
  render({ id, properties, secrets }, { environment }) {
    if (properties["resourceProvisioning"] !== "manual") {
      return refuseRecipe(environment, id.type, properties);
    }
    const values: JsonObject = Object.fromEntries(
      Object.entries(properties).filter(([name]) => !describedMembers.has(name)),
    );
    return { parts: [], values, secretValues: listSecrets(properties, secrets) };
  },
};
