import { type Command, Option } from "commander";
import type { EnvironmentOptions } from "../environments/find-environment.ts";
import { addFamilyFlags } from "../families/choose-families.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { RecipeOptions } from "../recipes/find-recipe-environment.ts";
import type { RegisterOptions } from "../recipes/write-recipes.ts";

const typeOption = ["--resource-type <type>", "type that the recipe is for, such as Radius.Data/redisCaches"] as const;

export function defineRecipe(command: Command, context: ContextOf): void {
  inEnvironment(command.command("list"))
    .description("List the recipes of an environment: its own, or those of its recipe packs")
    .addHelpText("after", examples("rad recipe list", "rad recipe list -e prod -o json"))
    .action(async (options: EnvironmentOptions) => {
      const { listRecipes } = await import("../recipes/list-recipes.ts");
      await listRecipes(context(), options);
    });
  inEnvironment(command.command("show"))
    .description("Show a recipe with the parameters of its template")
    .argument("<name>", "name of the recipe")
    .requiredOption(...typeOption)
    .addHelpText("after", examples("rad recipe show default --resource-type Applications.Datastores/redisCaches"))
    .action(async (name: string, options: RecipeOptions) => {
      const { showRecipe } = await import("../recipes/show-recipe.ts");
      await showRecipe(context(), name, options);
    });
  inEnvironment(command.command("register"))
    .description("Add a recipe to an environment of Applications.Core, or replace it")
    .argument("<name>", "name of the recipe; default is the one of resources that name none")
    .addOption(
      new Option("--template-kind <kind>", "what the template is")
        .choices(["bicep", "terraform"])
        .makeOptionMandatory(),
    )
    .requiredOption("--template-path <source>", "source of the Terraform module, or reference of the Bicep template")
    .option("--template-version <version>", "version of a module that comes from a registry (Terraform)")
    .requiredOption(...typeOption)
    .option("--plain-http", "the registry is reached over HTTP, without TLS (Bicep)")
    .option(
      "-p, --parameters <parameter>",
      "parameter of every run: name=value, name=@value.json or @parameters.json; may be repeated",
      collect,
    )
    .addHelpText(
      "after",
      examples(
        "rad recipe register default --resource-type Applications.Datastores/redisCaches --template-kind terraform --template-path contoso/redis/kubernetes --template-version 1.2.0",
        "rad recipe register large --resource-type Applications.Datastores/redisCaches --template-kind bicep --template-path ghcr.io/contoso/recipes/redis:1.0 -p size=large",
      ),
    )
    .action(async (name: string, options: RegisterOptions) => {
      const { registerRecipe } = await import("../recipes/write-recipes.ts");
      await registerRecipe(context(), name, options);
    });
  inEnvironment(command.command("unregister"))
    .description("Remove a recipe from an environment of Applications.Core; what it created stays")
    .argument("<name>", "name of the recipe")
    .requiredOption(...typeOption)
    .addHelpText("after", examples("rad recipe unregister large --resource-type Applications.Datastores/redisCaches"))
    .action(async (name: string, options: RecipeOptions) => {
      const { unregisterRecipe } = await import("../recipes/write-recipes.ts");
      await unregisterRecipe(context(), name, options);
    });
}

function inEnvironment(command: Command): Command {
  return addFamilyFlags(command)
    .option("-e, --environment <name>", "environment, a name or a full id; by default the workspace's")
    .option("-g, --group <name>", "resource group; by default the workspace's");
}

/** For an option that may be repeated. */
function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}
