import type { Command } from "commander";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { DeploymentOptions } from "../deploy/manage-deployments.ts";

const groupOption = ["-g, --group <name>", "resource group; by default the workspace's"] as const;

export function defineDeployment(command: Command, context: ContextOf): void {
  command
    .command("list")
    .description("List deployments, the latest first; those of modules only with --all")
    .option(...groupOption)
    .option("--all", "list the deployments of modules too")
    .addHelpText("after", examples("rad deployment list", "rad deployment list --all -o json"))
    .action(async (options: DeploymentOptions) => (await manage()).listDeployments(context(), options));
  command
    .command("show")
    .description("Show a deployment with its resources, outputs and errors")
    .argument("<name>", "name of the deployment")
    .option(...groupOption)
    .addHelpText("after", examples("rad deployment show rad-deploy-1b4e28ba-2fa1-11d2-883f-b9a761bde3fb"))
    .action(async (name: string, options: DeploymentOptions) =>
      (await manage()).showDeployment(context(), name, options),
    );
  command
    .command("watch")
    .description("Watch a deployment until it has ended, and show its result")
    .argument("<name>", "name of the deployment")
    .option(...groupOption)
    .addHelpText("after", examples("rad deployment watch rad-deploy-1b4e28ba-2fa1-11d2-883f-b9a761bde3fb"))
    .action(async (name: string, options: DeploymentOptions) =>
      (await manage()).watchDeployment(context(), name, options),
    );
  command
    .command("cancel")
    .description("Cancel a deployment; resources in progress finish, no new ones start")
    .argument("<name>", "name of the deployment")
    .option(...groupOption)
    .addHelpText("after", examples("rad deployment cancel rad-deploy-1b4e28ba-2fa1-11d2-883f-b9a761bde3fb"))
    .action(async (name: string, options: DeploymentOptions) =>
      (await manage()).cancelDeployment(context(), name, options),
    );
  command
    .command("delete")
    .description("Delete the record of a deployment; what it deployed stays")
    .argument("<name>", "name of the deployment")
    .option(...groupOption)
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("rad deployment delete rad-deploy-1b4e28ba-2fa1-11d2-883f-b9a761bde3fb --yes"))
    .action(async (name: string, options: DeploymentOptions) =>
      (await manage()).deleteDeployment(context(), name, options),
    );
}

function manage() {
  return import("../deploy/manage-deployments.ts");
}
