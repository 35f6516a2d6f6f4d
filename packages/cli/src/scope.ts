import { ClientError, radiusPlane } from "@rad/client";
import { ResourceId } from "@rad/core/resource-id";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";
import type { Workspace } from "./config/workspace.ts";

export function groupId(name: string): string {
  return `${radiusPlane}/resourceGroups/${name}`;
}

/** The control plane's own rule, applied before anything is asked of it. @throws CliError */
export async function checkGroupName(name: string): Promise<string> {
  const { checkName } = await import("@rad/resource-types/names");
  const problem = checkName("resourceGroup", name);
  if (problem !== undefined) {
    throw new CliError("InvalidGroupName", problem);
  }
  return name;
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
    return await checkGroupName(flag);
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

export function groupNotFound(name: string): CliError {
  return new CliError(
    "GroupNotFound",
    `The resource group "${name}" does not exist. Run \`rad group list\` to see the groups there are, or \`rad group create ${name}\`.`,
    { missing: { kind: "groups", name } },
  );
}

/** The control plane's answer that the group itself is missing, as we say it; every other error as it is. */
export function explainMissingGroup(error: unknown, group: string): unknown {
  const isAboutGroup =
    error instanceof ClientError && error.isNotFound && error.target?.toLowerCase() === groupId(group).toLowerCase();
  return isAboutGroup ? groupNotFound(group) : error;
}
