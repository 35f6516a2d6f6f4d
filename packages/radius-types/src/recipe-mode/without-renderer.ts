import { recipeNameOf } from "../recipes/find-recipe.ts";
import { recipeNotFound } from "../rendering/environment-recipes.ts";
import { loadScope } from "../rendering/load-scope.ts";
import type { WithoutRecipe } from "./recipe-handler.ts";

/** A type that may do without a recipe, unless the resource names one. */
export const onlyStored: WithoutRecipe = {
  put: async (context) => {
    if (context.properties["recipe"] !== undefined) {
      await withoutRenderer.put(context);
    }
  },
  delete: () => Promise.resolve(),
  preview: () => Promise.resolve({ changes: [], warnings: [] }),
};

/** A type that nothing but a recipe can make: what belongs to no environment is only stored. */
export const withoutRenderer: WithoutRecipe = {
  put: async ({ id, properties, resources }) => {
    const { environment } = await loadScope(resources, { id, properties });
    if (environment !== undefined && environment.properties["simulated"] !== true) {
      throw recipeNotFound(recipeNameOf(properties), environment);
    }
  },
  delete: () => Promise.resolve(),
  preview: () => Promise.resolve({ changes: [], warnings: [] }),
};
