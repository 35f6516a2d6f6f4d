import { ApiError, objectMember } from "@rad/core";
import type { JsonObject, ResourceId } from "@rad/core";
import { findRecipe, isDefaultPackRecipe, recipeNameOf } from "../recipes/find-recipe.ts";
import type { RecipeDefinition } from "../recipes/recipe-definition.ts";
import type { EnvironmentContext } from "./renderer.ts";

/**
 * The parameters of the default recipe of a type that is rendered here; empty where the environment has no recipe.
 * @throws ApiError when the environment has another recipe for the type than that of upstream's default pack.
 */
export function renderedInstead(environment: EnvironmentContext, type: string, properties: JsonObject): JsonObject {
  const name = recipeNameOf(properties);
  const found = findRecipe(environment, type, name);
  if (found === undefined && name !== "default") {
    throw recipeNotFound(name, environment);
  }
  if (found !== undefined && !isDefaultPackRecipe(found)) {
    throw recipesAreNotRun(environment, found);
  }
  return { ...found?.parameters, ...objectMember(objectMember(properties, "recipe"), "parameters") };
}

/** @throws ApiError always: the resource needs a recipe, and the environment has none, or nobody is there to run it. */
export function refuseRecipe(environment: EnvironmentContext, type: string, properties: JsonObject): never {
  const name = recipeNameOf(properties);
  const found = findRecipe(environment, type, name);
  throw found === undefined ? recipeNotFound(name, environment) : recipesAreNotRun(environment, found);
}

export function recipeNotFound(name: string, { id }: { readonly id: ResourceId }): ApiError {
  return new ApiError(
    "RecipeNotFoundFailure",
    `could not find recipe "${name}" in environment "${id.toString()}". ` +
      "Register one with 'rad recipe register' or in a recipe pack of the environment, " +
      "or set 'resourceProvisioning' to 'manual' and give the values yourself where the type allows it.",
  );
}

function recipesAreNotRun({ id }: EnvironmentContext, { name, kind, source }: RecipeDefinition): ApiError {
  return new ApiError(
    "DriverNotFoundFailure",
    `The recipe "${name}" of the environment "${id.toString()}" (${kind}, ${source}) cannot be used: ` +
      "this server does not run recipes.",
  );
}
