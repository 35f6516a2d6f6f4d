import type { Command } from "commander";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { CreatePackOptions } from "../recipe-packs/create-pack.ts";
import type { DeletePackOptions } from "../recipe-packs/delete-pack.ts";
import type { PackOptions } from "../recipe-packs/find-pack.ts";

export function defineRecipePack(command: Command, context: ContextOf): void {
  command
    .command("create")
    .description("Create a recipe pack of Radius.Core from a file, or replace its recipes")
    .argument("<name>", "name of the recipe pack")
    .requiredOption("-f, --from-file <path>", "recipes by type, as JSON or YAML; - reads them from stdin")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .addHelpText("after", examples("rad recipe-pack create team --from-file recipes.yaml"))
    .action(async (name: string, options: CreatePackOptions) => {
      const { createPack } = await import("../recipe-packs/create-pack.ts");
      await createPack(context(), name, options);
    });
  command
    .command("list")
    .description("List the recipe packs of all groups, or of one")
    .option("-g, --group <name>", "only those of this resource group")
    .addHelpText("after", examples("rad recipe-pack list", "rad recipe-pack list -g platform -o json"))
    .action(async (options: PackOptions) => {
      const { listPacks } = await import("../recipe-packs/show-packs.ts");
      await listPacks(context(), options);
    });
  command
    .command("show")
    .description("Show a recipe pack with its recipes")
    .argument("<name>", "name of the recipe pack")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .addHelpText("after", examples("rad recipe-pack show team", "rad recipe-pack show team -o json"))
    .action(async (name: string, options: PackOptions) => {
      const { showPack } = await import("../recipe-packs/show-packs.ts");
      await showPack(context(), name, options);
    });
  command
    .command("delete")
    .description("Delete a recipe pack, and take it out of the environments that use it")
    .argument("<name>", "name of the recipe pack")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("rad recipe-pack delete team --yes"))
    .action(async (name: string, options: DeletePackOptions) => {
      const { deletePack } = await import("../recipe-packs/delete-pack.ts");
      await deletePack(context(), name, options);
    });
}
