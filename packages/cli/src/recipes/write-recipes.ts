import type { JsonObject } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { writableProperties } from "../environments/environment-properties.ts";
import type { RecipeOptions } from "./find-recipe-environment.ts";
import { findOwnRecipes, fullTypeName } from "./find-recipe-environment.ts";
import { readRecipeParameters } from "./recipe-parameters.ts";

export interface RegisterOptions extends RecipeOptions {
  readonly templateKind: "bicep" | "terraform";
  readonly templatePath: string;
  readonly templateVersion?: string;
  readonly plainHttp?: boolean;
  readonly parameters?: readonly string[];
}

/** Adds a recipe to an environment of `Applications.Core`, or replaces the one of its name. */
export async function registerRecipe(context: CommandContext, name: string, options: RegisterOptions): Promise<void> {
  const recipe = recipeOf(options);
  const parameters = await readRecipeParameters(context, options.parameters ?? []);
  const { environment, properties } = await changeRecipes(context, options, (recipes, type) => {
    const ofType = objectMember(recipes, type);
    const replaced = matching(ofType, name) ?? name;
    return {
      ...recipes,
      [type]: {
        ...ofType,
        [replaced]: { ...recipe, ...(Object.keys(parameters).length === 0 ? {} : { parameters }) },
      },
    };
  });
  // The blank at the end is upstream's, and scripts match the whole line.
  context.output.done(`Successfully linked recipe "${name}" to environment "${environment}" `, properties);
}

/** Removes a recipe, and its type with the last one. @throws CliError `RecipeNotFound` */
export async function unregisterRecipe(context: CommandContext, name: string, options: RecipeOptions): Promise<void> {
  const { environment, properties } = await changeRecipes(context, options, (recipes, type, environmentName) => {
    const ofType = objectMember(recipes, type);
    const found = matching(ofType, name);
    if (found === undefined) {
      throw new CliError(
        "RecipeNotFound",
        `The environment "${environmentName}" has no recipe "${name}" for the type "${type}". Run \`rad recipe list\` to see those there are.`,
      );
    }
    const { [found]: _, ...others } = ofType;
    const { [type]: __, ...rest } = recipes;
    return Object.keys(others).length === 0 ? rest : { ...rest, [type]: others };
  });
  context.output.done(`Successfully unregistered recipe "${name}" from environment "${environment}" `, properties);
}

/** @throws CliError for flags that do not go with the kind of template */
function recipeOf({ templateKind, templatePath, templateVersion, plainHttp }: RegisterOptions): JsonObject {
  if (templateKind === "bicep" && templateVersion !== undefined) {
    throw new CliError(
      "InvalidUsage",
      "`--template-version` is for Terraform modules. The version of a Bicep template is part of `--template-path`.",
    );
  }
  if (templateKind === "terraform" && plainHttp === true) {
    throw new CliError("InvalidUsage", "`--plain-http` is for Bicep templates, which come from a registry.");
  }
  if (templatePath.trim() === "") {
    throw new CliError("InvalidUsage", "`--template-path` is empty.");
  }
  return {
    templateKind,
    templatePath,
    ...(templateVersion === undefined ? {} : { templateVersion }),
    ...(plainHttp === true ? { plainHttp: true } : {}),
  };
}

type Change = (recipes: JsonObject, type: string, environment: string) => JsonObject;

/** Reads the environment, changes its recipes and writes it back, unless somebody else changed it in between. */
async function changeRecipes(
  context: CommandContext,
  options: RecipeOptions,
  change: Change,
): Promise<{ readonly environment: string; readonly properties: object }> {
  const { client, environment } = await findOwnRecipes(context, options);
  const { resource, id, name, namespace, apiVersion, etag } = environment;
  const before = writableProperties(resource);
  const recipes = objectMember(before, "recipes");
  const given = await fullTypeName(client, options.resourceType, Object.keys(recipes));
  const type = matching(recipes, given) ?? given;
  const { putShown } = await import("../resources/put-shown.ts");
  const { location = "global", tags } = resource;
  const written = await putShown(
    context,
    client,
    { id, type: `${namespace}/environments`, name },
    {
      location,
      ...(isJsonObject(tags) ? { tags } : {}),
      properties: { ...before, recipes: change(recipes, type, name) },
    },
    { apiVersion, ifMatch: etag },
  );
  return { environment: name, properties: written };
}

/** The key as it is spelled there: neither types nor names tell upper from lower case. */
function matching(map: JsonObject, key: string): string | undefined {
  return Object.keys(map).find((one) => one.toLowerCase() === key.toLowerCase());
}
