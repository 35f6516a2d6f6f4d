import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Workspace } from "../config/workspace.ts";
import type { FamilyOptions } from "../families/choose-families.ts";
import { isPreview } from "../families/choose-families.ts";
import type { FamilyName } from "../families/family-resource.ts";
import { nameInFamilies } from "../families/family-resource.ts";
import { resolveGroup } from "../scope.ts";

export interface EnvironmentOptions extends FamilyOptions {
  readonly environment?: string;
  readonly group?: string;
}

/** The environment that was named, else the workspace's. @throws CliError `NoEnvironment` */
export async function namedEnvironment(
  context: CommandContext,
  workspace: Workspace,
  given: string | undefined,
  options: EnvironmentOptions,
): Promise<FamilyName> {
  if (given !== undefined) {
    const isId = given.startsWith("/");
    const group = isId ? "" : await resolveGroup(context, options.group, workspace);
    return await nameInFamilies(context, "environments", given, group, options);
  }
  if (workspace.environment === undefined) {
    throw new CliError(
      "NoEnvironment",
      `The workspace "${workspace.name}" has no environment. Name one, or choose one for good with \`rad env switch <name>\`.`,
    );
  }
  const own = await nameInFamilies(context, "environments", workspace.environment, "", options);
  // A family that was asked for counts more than the one of the workspace's environment.
  return isPreview(context, options) === undefined
    ? own
    : await nameInFamilies(context, "environments", own.name, own.group, options);
}
