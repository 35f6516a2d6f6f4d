import type { CommandContext } from "../command-context.ts";
import { groupOf } from "../scope.ts";
import type { CommandDeployment } from "./prepare-from-command.ts";

/** A command about a deployment that finds it from where the user stands, to be copied. */
export function deploymentCommand(
  context: CommandContext,
  { name, group, workspace }: CommandDeployment,
  verb: "show" | "watch" | "cancel",
): string {
  const isDefaultGroup = groupOf(workspace.scope)?.toLowerCase() === group.toLowerCase();
  const inGroup = isDefaultGroup ? "" : ` -g ${group}`;
  const inWorkspace = context.workspaceFlag === undefined ? "" : ` -w ${workspace.name}`;
  return `rad deployment ${verb} ${name}${inGroup}${inWorkspace}`;
}

/** For when nobody looks on any more: the deployment does not need us. */
export function sayItGoesOn(context: CommandContext, prepared: CommandDeployment): void {
  context.output.note(`\nThe deployment ${prepared.name} goes on without this command.`);
  sayWhatToType(context, prepared);
}

/** For when nobody has heard whether the control plane took it. */
export function sayItMayHaveBegun(context: CommandContext, prepared: CommandDeployment): void {
  context.output.note(`\nThe deployment ${prepared.name} had been sent already, so it may go on without this command.`);
  sayWhatToType(context, prepared);
}

function sayWhatToType(context: CommandContext, prepared: CommandDeployment): void {
  context.output.note(`  ${deploymentCommand(context, prepared, "show")}      shows how far it is`);
  context.output.note(`  ${deploymentCommand(context, prepared, "watch")}     watches it until it has ended`);
  context.output.note(`  ${deploymentCommand(context, prepared, "cancel")}    stops it`);
}
