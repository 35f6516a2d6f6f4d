import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { updateConfig } from "../config/config-file.ts";
import type { Workspace } from "../config/workspace.ts";
import { displayOf, findToDelete } from "../families/family-resource.ts";
import { deleteAll } from "../resources/delete-all.ts";
import { applicationsIn, inEnvironments, sweepGroup } from "../resources/sweep-group.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";
import { groupOf } from "../scope.ts";
import type { EnvironmentOptions } from "./find-environment.ts";
import { namedEnvironment } from "./find-environment.ts";

export interface DeleteEnvironmentOptions extends EnvironmentOptions {
  readonly yes?: boolean;
}

/** Deletes an environment after the applications and resources in it, as far as they are in its group. */
export async function deleteEnvironment(
  context: CommandContext,
  given: string | undefined,
  options: DeleteEnvironmentOptions,
): Promise<void> {
  const { output } = context;
  const workspace = await context.workspace();
  const wanted = await namedEnvironment(context, workspace, given, options);
  const client = await context.client(workspace);
  const environment = await findToDelete(client, wanted);
  if (environment === undefined) {
    output.done(`${displayOf(wanted)} not found`, { id: wanted.ids[0] ?? "", status: "not found" });
    return;
  }
  const { id, name, group, display } = environment;
  const ids = [id.toLowerCase()];
  const types = createTypeLookup(client);
  const [everywhere, filter] = await Promise.all([
    applicationsIn(client, types, ids, undefined),
    inEnvironments(client, types, ids, group),
  ]);
  refuseElsewhere(
    name,
    group,
    everywhere.map((application) => application.id),
  );
  const doomed = await sweepGroup(client, types, group, filter);
  const inside = doomed.filter((resource) => resource.id.toLowerCase() !== id.toLowerCase());
  const applications = everywhere.length;
  const text =
    inside.length === 0
      ? `The environment "${name}" is empty. Delete it?`
      : `The environment "${name}" holds ${inside.length} resource(s), ${applications} of them application(s), which will be deleted too. Delete it?`;
  const { confirm } = await import("../prompts.ts");
  if (!(await confirm(context, { text, assumeYes: options.yes === true }))) {
    return;
  }
  await deleteAll(context, client, doomed);
  output.done(`${display} deleted`, { id, status: "deleted", resources: inside.map((resource) => resource.id) });
  if (await leaveEnvironment(context, workspace, id)) {
    output.note(
      `It was the environment of the workspace "${workspace.name}", which has none now. Choose one with \`rad env switch <name>\`.`,
    );
  }
}

/** Applications of other groups are not this command's to delete, and would be lost without their environment. */
function refuseElsewhere(name: string, group: string, applications: readonly string[]): void {
  const elsewhere = applications.filter((id) => groupOf(id)?.toLowerCase() !== group.toLowerCase());
  if (elsewhere.length > 0) {
    throw new CliError(
      "EnvironmentInUse",
      `The environment "${name}" has applications in other groups. Delete them first:\n${elsewhere.map((id) => `  ${id}`).join("\n")}`,
    );
  }
}

/** A workspace whose environment is gone would fail at every deployment. */
async function leaveEnvironment(context: CommandContext, { name }: Workspace, id: string): Promise<boolean> {
  return await updateConfig(context.configPath, (edit) => {
    const current = edit.config.workspaces.get(name);
    if (current?.environment?.toLowerCase() !== id.toLowerCase()) {
      return false;
    }
    const { environment: _, ...rest } = current;
    edit.put(rest);
    return true;
  });
}
