import type { Client } from "@rad/client";
import { ClientError } from "@rad/client";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { checkGroupName, oneName } from "../names.ts";
import { groupColumns } from "../output/resource-columns.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import { groupId, groupNotFound, groupOf, resolveGroup } from "../scope.ts";

interface GroupOptions {
  readonly group?: string;
  readonly yes?: boolean;
}

const groupType = "System.Resources/resourceGroups";

export function defineGroup(command: Command, context: ContextOf): void {
  command
    .command("create")
    .description("Create a resource group, or leave it as it is when it exists")
    .argument("[name]", "name of the group")
    .option("-g, --group <name>", "name of the group")
    .addHelpText("after", examples("rad group create dev"))
    .action((name: string | undefined, options: GroupOptions) =>
      create(context(), oneName("group", name, options.group)),
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
    .action((name: string | undefined, options: GroupOptions) =>
      show(context(), oneName("group", name, options.group)),
    );
  command
    .command("switch")
    .description("Make a resource group the workspace's default")
    .argument("[name]", "name of the group")
    .option("-g, --group <name>", "name of the group")
    .addHelpText("after", examples("rad group switch dev"))
    .action((name: string | undefined, options: GroupOptions) =>
      switchTo(context(), oneName("group", name, options.group)),
    );
  command
    .command("delete")
    .description("Delete a resource group and everything in it; by default the workspace's")
    .argument("[name]", "name of the group")
    .option("-g, --group <name>", "name of the group")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("rad group delete dev", "rad group delete dev --yes"))
    .action((name: string | undefined, options: GroupOptions) =>
      remove(context(), oneName("group", name, options.group), options.yes === true),
    );
}

async function create(context: CommandContext, given: string | undefined): Promise<void> {
  const name = await resolveGroup(context, given);
  const client = await context.client();
  const group = await client.groups.put(name);
  context.output.done(`${groupType}/${name} created`, group);
}

async function list(context: CommandContext): Promise<void> {
  const groups = await (await context.client()).groups.list();
  if (context.output.format === "json") {
    context.output.json(groups);
  } else {
    await context.output.table(groupColumns, groups);
  }
}

async function show(context: CommandContext, given: string | undefined): Promise<void> {
  const name = await resolveGroup(context, given);
  const group = await findGroup(await context.client(), name);
  if (context.output.format === "json") {
    context.output.json(group);
  } else {
    await context.output.table(groupColumns, [group]);
  }
}

async function switchTo(context: CommandContext, given: string | undefined): Promise<void> {
  if (given === undefined) {
    throw new CliError("InvalidUsage", "Give the name of the group: `rad group switch <name>`.");
  }
  const workspace = await context.workspace();
  const name = checkGroupName(given);
  await findGroup(await context.client(workspace), name);
  const { updateConfig } = await import("../config/config-file.ts");
  const leftBehind = await updateConfig(context.configPath, (edit) => {
    const current = edit.config.workspaces.get(workspace.name) ?? workspace;
    const { environment, ...rest } = current;
    const stays = groupOf(environment)?.toLowerCase() === name.toLowerCase();
    edit.put({ ...rest, scope: groupId(name), ...(environment !== undefined && stays ? { environment } : {}) });
    return stays ? undefined : environment;
  });
  if (leftBehind !== undefined) {
    context.output.note(`The workspace's environment was in another group and is no longer set: ${leftBehind}`);
  }
  context.output.done(`Switched to resource group "${name}"`, { group: name, workspace: workspace.name });
}

async function remove(context: CommandContext, given: string | undefined, yes: boolean): Promise<void> {
  const name = await resolveGroup(context, given);
  const client = await context.client();
  const resources = await client.groups.resources(name).catch((error: unknown) => {
    if (error instanceof ClientError && error.isNotFound) {
      return undefined;
    }
    throw error;
  });
  if (resources === undefined) {
    context.output.done(`${groupType}/${name} not found`, { id: groupId(name), status: "not found" });
    return;
  }
  const question =
    resources.length === 0
      ? `The resource group "${name}" is empty. Delete it?`
      : `The resource group "${name}" holds ${resources.length} resource(s), which will be deleted too. Delete it?`;
  const [{ confirm }, { deleteAll }] = await Promise.all([
    import("../prompts.ts"),
    import("../resources/delete-all.ts"),
  ]);
  if (!(await confirm(context, { text: question, assumeYes: yes }))) {
    return;
  }
  await deleteAll(context, client, resources);
  const outcome = await client.groups.delete(name);
  const status = outcome === "deleted" ? "deleted" : "not found";
  context.output.done(`${groupType}/${name} ${status}`, { id: groupId(name), status });
}

async function findGroup(client: Client, name: string) {
  try {
    return await client.groups.get(name);
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      throw groupNotFound(name);
    }
    throw error;
  }
}
