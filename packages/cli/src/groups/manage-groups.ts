import type { Client } from "@rad/client";
import { ClientError } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { updateConfig } from "../config/config-file.ts";
import { groupColumns } from "./group-columns.ts";
import { checkGroupName, groupId, groupNotFound, groupOf, resolveGroup } from "../scope.ts";

const groupType = "System.Resources/resourceGroups";

export async function createGroup(context: CommandContext, given: string | undefined): Promise<void> {
  const name = await resolveGroup(context, given);
  const client = await context.client();
  const group = await client.groups.put(name);
  context.output.done(`${groupType}/${name} created`, group);
}

export async function showGroup(context: CommandContext, given: string | undefined): Promise<void> {
  const name = await resolveGroup(context, given);
  const group = await findGroup(await context.client(), name);
  if (context.output.format === "json") {
    context.output.json(group);
  } else {
    await context.output.table(groupColumns, [group]);
  }
}

export async function switchToGroup(context: CommandContext, given: string | undefined): Promise<void> {
  if (given === undefined) {
    throw new CliError("InvalidUsage", "Give the name of the group: `rad group switch <name>`.");
  }
  const workspace = await context.workspace();
  const name = await checkGroupName(given);
  await findGroup(await context.client(workspace), name);
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

export async function deleteGroup(context: CommandContext, given: string | undefined, yes: boolean): Promise<void> {
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
  const { confirm } = await import("../prompts.ts");
  if (!(await confirm(context, { text: question, assumeYes: yes }))) {
    return;
  }
  const { deleteAll } = await import("../resources/delete-all.ts");
  await deleteAll(context, client, resources);
  const outcome = await client.groups.delete(name);
  const left = await leaveGroup(context, name);
  const status = outcome === "deleted" ? "deleted" : "not found";
  context.output.done(`${groupType}/${name} ${status}`, { id: groupId(name), status });
  if (left !== undefined) {
    context.output.note(
      `It was the group of the workspace "${left}", which has none now. Choose one with \`rad group switch <name>\`.`,
    );
  }
}

/**
 * A workspace whose group is gone would fail at every command; without one it says how to choose another. Resolves to the
 * name of the workspace if it was its group.
 */
async function leaveGroup(context: CommandContext, group: string): Promise<string | undefined> {
  const workspace = await context.workspace();
  if (groupOf(workspace.scope)?.toLowerCase() !== group.toLowerCase()) {
    return undefined;
  }
  await updateConfig(context.configPath, (edit) => {
    const { scope: _, environment, ...rest } = edit.config.workspaces.get(workspace.name) ?? workspace;
    const isElsewhere = environment !== undefined && groupOf(environment)?.toLowerCase() !== group.toLowerCase();
    edit.put({ ...rest, ...(isElsewhere ? { environment } : {}) });
  });
  return workspace.name;
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
