import type { Command } from "commander";
import type { DeleteApplicationOptions } from "../applications/delete-application.ts";
import type { ApplicationOptions } from "../applications/find-application.ts";
import { addFamilyFlags } from "../families/choose-families.ts";
import type { FamilyListOptions } from "../families/list-families.ts";
import { oneName } from "../names.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import { defineGraph } from "./application-graph.ts";

export function defineApplication(command: Command, context: ContextOf): void {
  addFamilyFlags(command.command("list"))
    .description("List the applications of a resource group")
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("-A, --all-groups", "in all resource groups")
    .addHelpText("after", examples("rad app list", "rad app list -A -o json"))
    .action(async (options: FamilyListOptions) => {
      const { listFamilies } = await import("../families/list-families.ts");
      await listFamilies(context(), "applications", options);
    });
  named(command.command("show"))
    .description("Show an application")
    .addHelpText("after", examples("rad app show shop", "rad app show shop -o json"))
    .action(async (name: string | undefined, options: ApplicationOptions) => {
      const { showApplication } = await import("../applications/show-application.ts");
      await showApplication(context(), oneName("application", name, options.application), options);
    });
  named(command.command("status"))
    .description("Show how many resources an application has, and the endpoints of its gateways")
    .addHelpText("after", examples("rad app status shop", "rad app status shop -o json"))
    .action(async (name: string | undefined, options: ApplicationOptions) => {
      const { showStatus } = await import("../applications/show-application.ts");
      await showStatus(context(), oneName("application", name, options.application), options);
    });
  defineGraph(command, context);
  named(command.command("delete"))
    .description("Delete an application and its resources")
    .option("-y, --yes", "do not ask")
    .option("--force", "even while other operations are running")
    .addHelpText("after", examples("rad app delete shop", "rad app delete shop --yes"))
    .action(async (name: string | undefined, options: DeleteApplicationOptions) => {
      const { deleteApplication } = await import("../applications/delete-application.ts");
      await deleteApplication(context(), oneName("application", name, options.application), options);
    });
}

function named(command: Command): Command {
  return addFamilyFlags(command)
    .argument("[name]", "name of the application, or its full id")
    .option("-a, --application <name>", "name of the application, or its full id")
    .option("-g, --group <name>", "resource group; by default the workspace's");
}
