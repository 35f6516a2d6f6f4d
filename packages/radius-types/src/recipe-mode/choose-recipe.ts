import type { JsonObject, ResourceId } from "@rad/core";
import type { ResourceAccess } from "@rad/resources";
import {
  findRecipe,
  isDefaultPackRecipe,
  loadRecipePacks,
  recipeNameOf,
  wholeEnvironment,
} from "../recipes/find-recipe.ts";
import type { RecipeDefinition } from "../recipes/recipe-definition.ts";
import type { ScopeResource } from "../recipes/recipe-engine.ts";
import { loadScope } from "../rendering/load-scope.ts";
import type { RecipeType } from "./recipe-type.ts";

export interface ChosenRecipe {
  readonly definition: RecipeDefinition;
  readonly environment: ScopeResource;
  readonly application: ScopeResource | undefined;
}

interface RecipeUser {
  readonly id: ResourceId;
  readonly properties: JsonObject;
  readonly resources: ResourceAccess;
}

/** The recipe that makes a resource; `undefined` for one that its author or a renderer provides, or that has none. */
export async function chooseRecipe(
  { isRendered }: RecipeType,
  { id, properties, resources }: RecipeUser,
): Promise<ChosenRecipe | undefined> {
  if (properties["resourceProvisioning"] === "manual") {
    return undefined;
  }
  const { application, environment: found } = await loadScope(resources, { id, properties });
  if (found === undefined) {
    return undefined;
  }
  const environment = await wholeEnvironment(found, resources.asServer);
  const recipePacks = await loadRecipePacks(found.id, found.properties, resources.asServer);
  const catalog = { properties: environment.properties, recipePacks };
  const definition = findRecipe(catalog, id.type, recipeNameOf(properties));
  return definition === undefined || (isRendered && isDefaultPackRecipe(definition))
    ? undefined
    : { definition, environment, application };
}
