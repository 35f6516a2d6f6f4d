import { radiusPlane } from "@rad/client";
import { ResourceId } from "@rad/core";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";
import type { Workspace } from "./config/workspace.ts";
import { checkGroupName } from "./names.ts";

export function groupId(name: string): string {
  return `${radiusPlane}/resourceGroups/${name}`;
}

/** The group's name inside any id below it; undefined when there is none. */
export function groupOf(id: string | undefined): string | undefined {
  return id === undefined ? undefined : ResourceId.tryParse(id)?.resourceGroup;
}

/** The group that a command works in: the flag's, else the workspace's. */
export async function resolveGroup(
  context: CommandContext,
  flag: string | undefined,
  workspace?: Workspace,
): Promise<string> {
  if (flag !== undefined) {
    return checkGroupName(flag);
  }
  const { name, scope } = workspace ?? (await context.workspace());
  const group = groupOf(scope);
  if (group === undefined) {
    throw new CliError(
      "NoGroup",
      `The workspace "${name}" has no resource group. Use \`--group <name>\`, or \`rad group switch <name>\` to choose one for good.`,
    );
  }
  return group;
}
