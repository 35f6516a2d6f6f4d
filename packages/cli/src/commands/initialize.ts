import type { Command } from "commander";
import { addFamilyFlags } from "../families/choose-families.ts";
import type { InitOptions } from "../init/initialize.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

export function defineInitialize(command: Command, context: ContextOf): void {
  addFamilyFlags(command)
    .option("-e, --environment <name>", "environment to use, created when it does not exist; by default default")
    .option("-g, --group <name>", "its resource group; by default named like the environment")
    .option("--kubernetes-namespace <name>", "namespace of a new environment")
    .option("-a, --application <name>", "name of the application; by default the folder's")
    .option("--no-app", "set up no application in this folder")
    .option("--full", "ask everything")
    .option("-y, --yes", "ask nothing")
    .addOption(command.createOption("--set <value>", "of the Helm chart").argParser(collect).hideHelp())
    .addOption(command.createOption("--set-file <value>", "of the Helm chart").argParser(collect).hideHelp())
    .addOption(command.createOption("--kubecontext <name>", "where to install Radius").hideHelp())
    .addHelpText("after", examples("rad init", "rad init --yes", "rad init --yes --no-app -e dev -o json"))
    .action(async (options: InitOptions) => {
      const { initialize } = await import("../init/initialize.ts");
      await initialize(context(), options);
    });
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
