import type { JsonObject } from "@rad/core";
import { refuseRecipe } from "../../rendering/environment-recipes.ts";
import type { Renderer } from "../../rendering/renderer.ts";
import { listSecrets } from "./list-secrets.ts";

/** What an extender has besides the values that its author made up. */
const described = new Set([
  "application",
  "environment",
  "provisioningState",
  "recipe",
  "resourceProvisioning",
  "secrets",
  "status",
]);

/** Renders no objects: every property is a value, and every secret a secret value, for those who connect. */
export const extenderRenderer: Renderer = {
  dependencies: () => [],
  render({ id, properties, secrets }, { environment }) {
    if (properties["resourceProvisioning"] !== "manual") {
      return refuseRecipe(environment, id.type, properties);
    }
    const values: JsonObject = Object.fromEntries(Object.entries(properties).filter(([name]) => !described.has(name)));
    return { parts: [], values, secretValues: listSecrets(properties, secrets) };
  },
};
