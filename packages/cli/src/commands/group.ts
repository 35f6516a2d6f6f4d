import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { groupColumns } from "../groups/group-columns.ts";
import { oneName } from "../names.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

interface GroupOptions {
  readonly group?: string;
  readonly yes?: boolean;
}

export function defineGroup(command: Command, context: ContextOf): void {
  command
    .command("create")
    .description("Create a resource group, or leave it as it is when it exists")
    .argument("[name]", "name of the group")
    .option("-g, --group <name>", "name of the group")
    .addHelpText("after", examples("rad group create dev"))
    .action(async (name: string | undefined, options: GroupOptions) =>
      (await manage()).createGroup(context(), oneName("group", name, options.group)),
    );
  command
    .command("list")
    .description("List the resource groups")
    .addHelpText("after", examples("rad group list", "rad group list -o json"))
    .action(() => list(context()));
  command
    .command("show")
    .description("Show a resource group; by default the workspace's")
    .argument("[name]", "name of the group")
    .option("-g, --group <name>", "name of the group")
    .addHelpText("after", examples("rad group show", "rad group show dev -o json"))
    .action(async (name: string | undefined, options: GroupOptions) =>
      (await manage()).showGroup(context(), oneName("group", name, options.group)),
    );
  command
    .command("switch")
    .description("Make a resource group the workspace's default")
    .argument("[name]", "name of the group")
    .option("-g, --group <name>", "name of the group")
    .addHelpText("after", examples("rad group switch dev"))
    .action(async (name: string | undefined, options: GroupOptions) =>
      (await manage()).switchToGroup(context(), oneName("group", name, options.group)),
    );
  command
    .command("delete")
    .description("Delete a resource group and everything in it; by default the workspace's")
    .argument("[name]", "name of the group")
    .option("-g, --group <name>", "name of the group")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("rad group delete dev", "rad group delete dev --yes"))
    .action(async (name: string | undefined, options: GroupOptions) =>
      (await manage()).deleteGroup(context(), oneName("group", name, options.group), options.yes === true),
    );
}

const manage = () => import("../groups/manage-groups.ts");

async function list(context: CommandContext): Promise<void> {
  const groups = await (await context.client()).groups.list();
  if (context.output.format === "json") {
    context.output.json(groups);
  } else {
    await context.output.table(groupColumns, groups);
  }
}
