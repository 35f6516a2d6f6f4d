import { objectMember } from "@rad/core/json";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { displayOf, findToDelete } from "../families/family-resource.ts";
import { deleteAll } from "../resources/delete-all.ts";
import { inApplications, sweepGroup } from "../resources/sweep-group.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";
import type { ApplicationOptions } from "./find-application.ts";
import { namedApplication } from "./find-application.ts";

export interface DeleteApplicationOptions extends ApplicationOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** Deletes an application after everything in it. */
export async function deleteApplication(
  context: CommandContext,
  given: string | undefined,
  options: DeleteApplicationOptions,
): Promise<void> {
  const { output } = context;
  if (given?.toLowerCase().endsWith(".bicep") === true) {
    throw new CliError("InvalidUsage", `"${given}" is a Bicep file. Give the name of the application.`);
  }
  const workspace = await context.workspace();
  const wanted = await namedApplication(context, workspace, given, options);
  const client = await context.client(workspace);
  const application = await findToDelete(client, wanted);
  if (application === undefined) {
    output.done(`${displayOf(wanted)} not found`, { id: wanted.ids[0] ?? "", status: "not found" });
    return;
  }
  const { id, name, group, namespace, display, resource } = application;
  const inside = await sweepGroup(client, createTypeLookup(client), group, inApplications([id.toLowerCase()]));
  if (options.force === true) {
    output.note(
      "Warning: `--force` deletes resources while other operations are running on them, which can leave behind what those have created outside Radius.",
    );
  }
  const { confirm } = await import("../prompts.ts");
  const text = `Delete the application "${name}"${environmentOf(resource)} and its ${inside.length} resource(s)?`;
  if (!(await confirm(context, { text, assumeYes: options.yes === true }))) {
    return;
  }
  const type = `${namespace}/applications`;
  await deleteAll(context, client, [...inside, { id, type, name }], { force: options.force === true });
  // Upstream's texts, which scripts compare: the newer family has another one.
  output.done(namespace === "Radius.Core" ? "Application deleted" : `${display} deleted`, {
    id,
    status: "deleted",
    resources: inside.map((deleted) => deleted.id),
  });
}

function environmentOf(application: Parameters<typeof objectMember>[0]): string {
  const { environment } = objectMember(application, "properties");
  return typeof environment === "string" ? ` of the environment "${environment.split("/").at(-1)}"` : "";
}
