import type { Client } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { EnvironmentOptions } from "../environments/find-environment.ts";
import { namedEnvironment } from "../environments/find-environment.ts";
import type { FamilyResource } from "../families/family-resource.ts";
import { mustFind } from "../families/family-resource.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";

export interface RecipeOptions extends EnvironmentOptions {
  readonly resourceType: string;
}

interface FoundEnvironment {
  readonly client: Client;
  readonly environment: FamilyResource;
}

/** The environment whose recipes a command is about. */
export async function findRecipeEnvironment(
  context: CommandContext,
  options: EnvironmentOptions,
): Promise<FoundEnvironment> {
  const workspace = await context.workspace();
  const wanted = await namedEnvironment(context, workspace, options.environment, options);
  const client = await context.client(workspace);
  return { client, environment: await mustFind(client, wanted, workspace.name) };
}

/** The same where recipes are to be changed. @throws CliError for an environment that has recipe packs instead */
export async function findOwnRecipes(context: CommandContext, options: EnvironmentOptions): Promise<FoundEnvironment> {
  const found = await findRecipeEnvironment(context, options);
  const { namespace, name } = found.environment;
  if (namespace === "Radius.Core") {
    throw new CliError(
      "RecipesInPacks",
      `The environment "${name}" is of Radius.Core, whose recipes are in recipe packs. Create one with \`rad recipe-pack create <name> --from-file <path>\`, and use it with \`rad env update ${name} --recipe-packs <names>\`.`,
    );
  }
  return found;
}

/**
 * A type in full. Recipes may be for types that are registered later, so only short names are looked up: among the types
 * that have recipes, else among those that are registered.
 */
export async function fullTypeName(client: Client, text: string, withRecipes: readonly string[] = []): Promise<string> {
  if (!text.includes("/")) {
    const [only, ...others] = withRecipes.filter((type) => type.split("/")[1]?.toLowerCase() === text.toLowerCase());
    return only !== undefined && others.length === 0 ? only : (await createTypeLookup(client).find(text)).fullName;
  }
  if (!/^[^/\s]+\/[^/\s]+$/.test(text)) {
    throw new CliError("InvalidResourceType", `"${text}" is not a resource type. Write it as Namespace/type.`);
  }
  return text;
}
