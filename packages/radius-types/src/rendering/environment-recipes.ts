import { ApiError, isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, ResourceId } from "@rad/core";
import type { ResourceReader } from "@rad/resources";
import { defaultRecipeRegistry } from "../families.ts";
import { textMember } from "./members.ts";
import type { EnvironmentContext } from "./renderer.ts";

/** A recipe that an environment has for a type. */
export interface EnvironmentRecipe {
  readonly kind: string;
  readonly source: string;
  readonly parameters: JsonObject;
}

/** The properties of the recipe packs that an environment of `Radius.Core` names, in its order; those that are gone are left out. */
export async function loadRecipePacks(
  environment: ResourceId,
  properties: JsonObject,
  resources: Pick<ResourceReader, "get">,
): Promise<readonly JsonObject[]> {
  const { recipePacks } = properties;
  const names = Array.isArray(recipePacks) ? recipePacks.filter((name) => typeof name === "string") : [];
  const documents = await Promise.all(names.map((name) => resources.get(recipePackId(environment, name))));
  return documents.flatMap((document) => (document === undefined ? [] : [objectMember(document.body, "properties")]));
}

/** A pack is named by its id, or by its name in the environment's own resource group. */
function recipePackId(environment: ResourceId, name: string): string {
  return name.startsWith("/") ? name : `${environment.rootScope}/providers/Radius.Core/recipePacks/${name}`;
}

/** The recipe of this name that the environment has for a type; types are compared ignoring case. */
function environmentRecipe(
  { properties, recipePacks = [] }: EnvironmentContext,
  type: string,
  name: string,
): EnvironmentRecipe | undefined {
  const named = objectMember(entryOf(objectMember(properties, "recipes"), type), name);
  if (textMember(named, "templatePath") !== undefined) {
    return recipe(textMember(named, "templateKind"), textMember(named, "templatePath"), named);
  }
  for (const pack of name === "default" ? recipePacks : []) {
    const entry = entryOf(objectMember(pack, "recipes"), type);
    if (textMember(entry, "source") !== undefined) {
      const own = entryOf(objectMember(properties, "recipeParameters"), type);
      const parameters = { ...objectMember(entry, "parameters"), ...own };
      return recipe(textMember(entry, "kind"), textMember(entry, "source"), { parameters });
    }
  }
  return undefined;
}

/**
 * The parameters of the default recipe of a type that is rendered here; empty where the environment has no recipe.
 * @throws ApiError when the environment has another recipe for the type than that of upstream's default pack.
 */
export function renderedInstead(environment: EnvironmentContext, type: string, properties: JsonObject): JsonObject {
  const name = textMember(objectMember(properties, "recipe"), "name") ?? "default";
  const found = environmentRecipe(environment, type, name);
  if (found === undefined && name !== "default") {
    throw recipeNotFound(name, environment);
  }
  if (found !== undefined && !found.source.startsWith(`${defaultRecipeRegistry}/`)) {
    throw recipesAreNotRun(name, environment, found);
  }
  return { ...found?.parameters, ...objectMember(objectMember(properties, "recipe"), "parameters") };
}

/** @throws ApiError always: the resource needs a recipe, and this version runs none. */
export function refuseRecipe(environment: EnvironmentContext, type: string, properties: JsonObject): never {
  const name = textMember(objectMember(properties, "recipe"), "name") ?? "default";
  const found = environmentRecipe(environment, type, name);
  throw found === undefined ? recipeNotFound(name, environment) : recipesAreNotRun(name, environment, found);
}

function recipeNotFound(name: string, { id }: EnvironmentContext): ApiError {
  return new ApiError(
    "RecipeNotFoundFailure",
    `could not find recipe "${name}" in environment "${id.toString()}". ` +
      "Set 'resourceProvisioning' to 'manual' and give the values yourself, or register a recipe.",
  );
}

function recipesAreNotRun(name: string, { id }: EnvironmentContext, { kind, source }: EnvironmentRecipe): ApiError {
  return new ApiError(
    "DriverNotFoundFailure",
    `The recipe "${name}" of the environment "${id.toString()}" (${kind}, ${source}) cannot be used: ` +
      "this version does not run recipes.",
  );
}

function recipe(kind = "", source = "", entry: JsonObject): EnvironmentRecipe {
  return { kind, source, parameters: objectMember(entry, "parameters") };
}

function entryOf(map: JsonObject, type: string): JsonObject {
  const entry = Object.entries(map).find(([key]) => key.toLowerCase() === type.toLowerCase())?.[1];
  return isJsonObject(entry) ? entry : {};
}
