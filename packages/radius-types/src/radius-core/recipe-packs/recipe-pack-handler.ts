import { objectMember, secretReferencesIn } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ResourceHandler } from "@rad/resources";
import { checkPackRecipes } from "../../environment-settings/check-recipes.ts";
import { packSources, sealPathCredentials } from "../../git-tokens/path-credentials.ts";
import { keepsInSameRecipe } from "../../recipes/keeps-in-same-recipe.ts";
import { requireReadOfNew } from "../../secret-references/require-read-of-new.ts";

export const recipePackHandler: ResourceHandler = {
  isReferenced: true,
  keepsSealed: keepsInSameRecipe({ depth: 2, source: "source" }),
  validate: async (request) => {
    const { properties, current } = request;
    checkPackRecipes(properties);
    requireReadOfNew(request, secretsOf(properties), secretsOf(objectMember(current?.body ?? {}, "properties")));
    return await sealPathCredentials(request, {
      sources: packSources,
      betterPlace: "'authentication.git.pat' of the Terraform settings",
    });
  },
};

/** Those that parameters refer to. */
function secretsOf(properties: JsonObject): readonly string[] {
  return secretReferencesIn(properties["recipes"]).map(({ secretId }) => secretId);
}
