import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Workspace } from "../config/workspace.ts";
import type { FamilyOptions } from "../families/choose-families.ts";
import type { FamilyName } from "../families/family-resource.ts";
import { nameInFamilies } from "../families/family-resource.ts";
import { resolveGroup } from "../scope.ts";

export interface ApplicationOptions extends FamilyOptions {
  readonly application?: string;
  readonly group?: string;
}

/** There is no default application. @throws CliError `NoApplication` */
export async function namedApplication(
  context: CommandContext,
  workspace: Workspace,
  given: string | undefined,
  options: ApplicationOptions,
): Promise<FamilyName> {
  if (given === undefined) {
    throw new CliError(
      "NoApplication",
      "Name the application, as an argument or with `--application <name>`. Run `rad app list` to see those there are.",
    );
  }
  const group = given.startsWith("/") ? "" : await resolveGroup(context, options.group, workspace);
  return await nameInFamilies(context, "applications", given, group, options);
}
