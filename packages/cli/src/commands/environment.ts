import type { Command } from "commander";
import type { DeleteEnvironmentOptions } from "../environments/delete-environment.ts";
import { changesAnything } from "../environments/environment-settings.ts";
import type { EnvironmentOptions } from "../environments/find-environment.ts";
import type { WriteEnvironmentOptions } from "../environments/manage-environments.ts";
import { addFamilyFlags } from "../families/choose-families.ts";
import type { FamilyListOptions } from "../families/list-families.ts";
import { oneName } from "../names.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

export function defineEnvironment(command: Command, context: ContextOf): void {
  withSettings(command.command("create"))
    .description("Create an environment of Applications.Core, or of Radius.Core with --preview")
    .addOption(command.createOption("-n, --namespace <name>", "same as --kubernetes-namespace").hideHelp())
    .addHelpText(
      "after",
      examples(
        "rad env create dev",
        "rad env create dev --kubernetes-namespace shop-dev",
        "rad env create dev --preview --recipe-packs team,azure --recipe-pack-group platform",
      ),
    )
    .action(async (name: string, options: WriteEnvironmentOptions) =>
      (await manage()).createEnvironment(context(), name, options),
    );
  addFamilyFlags(command.command("list"))
    .description("List the environments of a resource group")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("-A, --all-groups", "in all resource groups")
    .addHelpText("after", examples("rad env list", "rad env list -A -o json"))
    .action(async (options: FamilyListOptions) => {
      const { listFamilies } = await import("../families/list-families.ts");
      await listFamilies(context(), "environments", options);
    });
  named(command.command("show"))
    .description("Show an environment, one of Radius.Core with its recipes; by default the workspace's")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .addHelpText("after", examples("rad env show", "rad env show dev -o json"))
    .action(async (name: string | undefined, options: EnvironmentOptions) => {
      const { showEnvironment } = await import("../environments/show-environment.ts");
      await showEnvironment(context(), oneName("environment", name, options.environment), options);
    });
  const update = withSettings(command.command("update"))
    .description("Change an environment; what no flag names stays as it is")
    .option("--clear-azure", "remove the Azure scope")
    .option("--clear-aws", "remove the AWS scope")
    .option("--clear-kubernetes", "remove the Kubernetes namespace (Radius.Core)")
    .addHelpText(
      "after",
      examples(
        "rad env update dev --aws-account-id 123456789012 --aws-region eu-west-1",
        "rad env update dev --clear-azure",
        "rad env update dev --preview --recipe-packs team",
      ),
    )
    .action(async (name: string, options: WriteEnvironmentOptions) => {
      if (!changesAnything(options)) {
        update.help();
      }
      await (await manage()).updateEnvironment(context(), name, options);
    });
  named(command.command("switch"))
    .description("Make an environment the workspace's default")
    .addHelpText("after", examples("rad env switch dev"))
    .action(async (name: string | undefined, options: EnvironmentOptions) =>
      (await manage()).switchEnvironment(context(), oneName("environment", name, options.environment), options),
    );
  named(command.command("delete"))
    .description("Delete an environment with its applications and their resources; by default the workspace's")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("rad env delete dev", "rad env delete dev --yes"))
    .action(async (name: string | undefined, options: DeleteEnvironmentOptions) => {
      const { deleteEnvironment } = await import("../environments/delete-environment.ts");
      await deleteEnvironment(context(), oneName("environment", name, options.environment), options);
    });
}

const manage = () => import("../environments/manage-environments.ts");

function named(command: Command): Command {
  return addFamilyFlags(command)
    .argument("[name]", "name of the environment, or its full id")
    .option("-e, --environment <name>", "name of the environment, or its full id");
}

function withSettings(command: Command): Command {
  return addFamilyFlags(command)
    .argument("<name>", "name of the environment")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("--kubernetes-namespace <name>", "namespace that applications are deployed to")
    .option("--azure-subscription-id <id>", "Azure subscription of recipes; with --azure-resource-group")
    .option("--azure-resource-group <name>", "Azure resource group of recipes")
    .option("--aws-region <region>", "AWS region of recipes; with --aws-account-id")
    .option("--aws-account-id <id>", "AWS account of recipes")
    .option(
      "--recipe-packs <names>",
      "recipe packs, names or full ids, with commas between (Radius.Core)",
      collectPacks,
    )
    .option("--recipe-pack-group <name>", "group of the packs that are given by name; by default the environment's");
}

/** For `--recipe-packs a,b --recipe-packs c`. */
function collectPacks(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(",")];
}
