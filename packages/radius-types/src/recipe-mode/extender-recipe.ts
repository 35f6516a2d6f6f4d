import type { JsonObject } from "@rad/core";
import { describedMembers } from "../applications-core/extenders/described-members.ts";
import { listSecrets } from "../applications-core/extenders/list-secrets.ts";
import type { RecipeType } from "./recipe-type.ts";
import { validationFailed } from "./validation-failed.ts";

/** Every value becomes a property. What the author wrote stays unless the recipe gives it, too. */
export const extenderRecipe: RecipeType = {
  isRendered: false,
  showsStatus: false,
  outcome({ values, secrets }, { properties, secrets: sealed }) {
    const wrong = Object.entries(secrets).filter(([, value]) => typeof value !== "string");
    if (wrong.length > 0) {
      throw validationFailed(wrong.map(([name]) => `secret '${name}' must be of type string`));
    }
    const made: JsonObject = Object.fromEntries(Object.entries(values).filter(([name]) => !describedMembers.has(name)));
    const own = Object.entries(properties).filter(([name]) => !describedMembers.has(name));
    const ownSecrets = { "/properties/secrets": sealed["/properties/secrets"] ?? {} }; // without those of earlier runs
    const texts = Object.entries(secrets).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as const] : [],
    );
    return {
      properties: made,
      values: { ...Object.fromEntries(own), ...made },
      secretValues: { ...listSecrets({}, ownSecrets), ...Object.fromEntries(texts) },
    };
  },
};
