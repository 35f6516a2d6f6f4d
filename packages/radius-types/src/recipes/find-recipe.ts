import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, ResourceId } from "@rad/core";
import type { ResourceReader } from "@rad/resources";
import { splitCredentials } from "@rad/core/terraform";
import { hidesValues, wholeProperties } from "../sealed/whole-properties.ts";
import { defaultRecipeRegistry } from "../families.ts";
import { splitModuleVersion } from "./module-version.ts";
import type { RecipeDefinition } from "./recipe-definition.ts";
import type { ScopeResource } from "./recipe-engine.ts";
import { recipePackIds } from "./recipe-pack-ids.ts";

/** What an environment says about recipes. */
export interface RecipeCatalog {
  readonly properties: JsonObject;
  /** Properties of the recipe packs that an environment of `Radius.Core` names, as `loadRecipePacks` gives them. */
  readonly recipePacks?: readonly JsonObject[];
}

/** The properties of the recipe packs that an environment of `Radius.Core` names, in its order; those that are gone are left out. */
export async function loadRecipePacks(
  environment: ResourceId,
  properties: JsonObject,
  resources: Pick<ResourceReader, "get" | "secrets">,
): Promise<readonly JsonObject[]> {
  const packs = await Promise.all(
    recipePackIds(environment, properties).map(async (id) => {
      const document = await resources.get(id);
      if (document === undefined) {
        return [];
      }
      const properties = objectMember(document.body, "properties");
      return [hidesValues(properties) ? wholeProperties(properties, await resources.secrets(document.id)) : properties];
    }),
  );
  return packs.flat();
}

/** The name of the recipe that a resource asks for. */
export function recipeNameOf(properties: JsonObject): string {
  return text(objectMember(properties, "recipe")["name"]) ?? "default";
}

/**
 * The recipe of this name that the environment has for a type; types are compared ignoring case. Recipes of packs are
 * called `default`, and the first pack that has the type wins.
 */
export function findRecipe(
  { properties, recipePacks = [] }: RecipeCatalog,
  type: string,
  name: string,
): RecipeDefinition | undefined {
  const named = objectMember(entryOf(objectMember(properties, "recipes"), type), name);
  const path = text(named["templatePath"]);
  if (path !== undefined) {
    const version = text(named["templateVersion"]);
    return {
      name,
      kind: text(named["templateKind"]) ?? "",
      ...sourceOf(path),
      ...(version === undefined ? {} : { version }),
      ...(named["plainHttp"] === true ? { plainHttp: true } : {}),
      parameters: objectMember(named, "parameters"),
    };
  }
  for (const pack of name === "default" ? recipePacks : []) {
    const entry = entryOf(objectMember(pack, "recipes"), type);
    if (text(entry["source"]) !== undefined) {
      return packRecipe(entry, entryOf(objectMember(properties, "recipeParameters"), type));
    }
  }
  return undefined;
}

export interface TypeRecipe {
  /** The resource type that the recipe is for. */
  readonly type: string;
  readonly definition: RecipeDefinition;
}

/** Every recipe of an environment and its packs, with what is sealed of them; those that another one comes before are left out. */
export async function allRecipes(
  environment: ScopeResource,
  resources: Pick<ResourceReader, "get" | "secrets">,
): Promise<readonly TypeRecipe[]> {
  const [{ properties }, recipePacks] = await Promise.all([
    wholeEnvironment(environment, resources),
    loadRecipePacks(environment.id, environment.properties, resources),
  ]);
  const named = Object.entries(objectMember(properties, "recipes")).flatMap(([type, recipes]) =>
    Object.keys(isJsonObject(recipes) ? recipes : {}).map((name) => [type, name] as const),
  );
  const ofPacks = recipePacks.flatMap((pack) =>
    Object.keys(objectMember(pack, "recipes")).map((type) => [type, "default"] as const),
  );
  const all = new Map([...ofPacks, ...named].map(([type, name]) => [`${type.toLowerCase()} ${name}`, { type, name }]));
  return [...all.values()].flatMap(({ type, name }) => {
    const definition = findRecipe({ properties, recipePacks }, type, name);
    return definition === undefined ? [] : [{ type, definition }];
  });
}

/** With the values of recipes that are sealed: credentials of addresses, and parameters that a template gave as secure ones. */
export async function wholeEnvironment(
  environment: ScopeResource,
  resources: Pick<ResourceReader, "secrets">,
): Promise<ScopeResource> {
  const { id, properties } = environment;
  if (properties["recipes"] === undefined && properties["recipeParameters"] === undefined) {
    return environment;
  }
  return { id, properties: wholeProperties(properties, await resources.secrets(id.toString())) };
}

/** Whether the recipe is one of upstream's default pack, which the server renders itself instead. */
export function isDefaultPackRecipe({ source }: RecipeDefinition): boolean {
  return source.startsWith(`${defaultRecipeRegistry}/`);
}

function packRecipe(entry: JsonObject, ofEnvironment: JsonObject): RecipeDefinition {
  const kind = text(entry["kind"]) ?? "";
  const source = text(entry["source"]) ?? "";
  const { secrets, ...outputs } = objectMember(entry, "outputs");
  return {
    name: "default",
    kind,
    ...(kind === "terraform"
      ? { ...splitModuleVersion(source), ...sourceOf(splitModuleVersion(source).source) }
      : { source }),
    ...(entry["plainHttp"] === true ? { plainHttp: true } : {}),
    parameters: { ...objectMember(entry, "parameters"), ...ofEnvironment },
    ...mapping("outputs", outputs),
    ...mapping("secretOutputs", isJsonObject(secrets) ? secrets : {}),
  };
}

function sourceOf(path: string): Pick<RecipeDefinition, "source" | "userInfo" | "secretQuery"> {
  const { shown, ...credentials } = splitCredentials(path);
  return { source: shown, ...credentials };
}

/** Entries that are not texts are ignored. */
function mapping(name: "outputs" | "secretOutputs", entries: JsonObject): Partial<RecipeDefinition> {
  const texts = Object.entries(entries).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return texts.length === 0 ? {} : { [name]: Object.fromEntries(texts) };
}

function entryOf(map: JsonObject, type: string): JsonObject {
  const entry = Object.entries(map).find(([key]) => key.toLowerCase() === type.toLowerCase())?.[1];
  return isJsonObject(entry) ? entry : {};
}

/** An empty text counts as absent. */
function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
