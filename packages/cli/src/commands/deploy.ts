import type { Command } from "commander";
import type { DeployOptions } from "../deploy/deploy.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

export function defineDeploy(command: Command, context: ContextOf): void {
  command
    .argument("<file>", "a .bicep file, a .bicepparam file that names one, a compiled template in .json, or a URL")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("-e, --environment <name>", "environment, a name or a full id; by default the workspace's")
    .option("-a, --application <name>", "application, created when it does not exist")
    .option("-p, --parameters <parameter>", "name=value, name=@value.json, @file.json or file.bicepparam", collect)
    .option("--name <name>", "name of the deployment; by default rad-deploy-<uuid>")
    .option("--preview", "create the application as Radius.Core (so does RADIUS_PREVIEW=true)")
    .option("--no-preview", "create it in the environment's family, whatever RADIUS_PREVIEW says")
    .option("--what-if", "show what would change, and change nothing")
    .option("--what-if-recipes", "show also what recipes would change, by a Terraform plan for each")
    .option("--confirm", "show what would change, and ask before changing it")
    .option("-y, --yes", "with --confirm: do not ask")
    .option("--no-registered-types", "compile without the types that the control plane has registered")
    .option("--no-wait", "end as soon as the deployment has been accepted")
    .addHelpText(
      "after",
      examples(
        "rad deploy app.bicep",
        "rad deploy app.bicep -a shop -e dev -p replicas=3 -p @common.json",
        "rad deploy app.bicepparam --what-if",
        "rad deploy app.bicep --what-if-recipes",
        "rad deploy https://example.com/app.bicep --confirm",
      ),
    )
    .action(async (file: string, options: DeployOptions) => {
      const { deploy } = await import("../deploy/deploy.ts");
      await deploy(context(), file, options);
    });
}

function collect(parameter: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, parameter];
}
