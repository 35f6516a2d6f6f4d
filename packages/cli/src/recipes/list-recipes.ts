import type { CommandContext } from "../command-context.ts";
import type { EnvironmentOptions } from "../environments/find-environment.ts";
import { packsOfEnvironment } from "../environments/recipe-packs.ts";
import { findRecipeEnvironment } from "./find-recipe-environment.ts";
import { recipeColumns, recipesOfEnvironment, recipesOfPack } from "./recipe-entry.ts";

/** The recipes of an environment: its own, or those of its packs. */
export async function listRecipes(context: CommandContext, options: EnvironmentOptions): Promise<void> {
  const { output } = context;
  const { client, environment } = await findRecipeEnvironment(context, options);
  const recipes =
    environment.namespace === "Radius.Core"
      ? (await packsOfEnvironment(context, client, environment.resource)).flatMap(recipesOfPack)
      : recipesOfEnvironment(environment.resource);
  if (output.format === "json") {
    output.json(recipes);
  } else {
    await output.table(recipeColumns, recipes);
  }
}
