import { families } from "@rad/radius-types/families";
import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";

export type Family = (typeof families)[number];

export interface FamilyOptions {
  /** `--preview` and `--no-preview`. */
  readonly preview?: boolean;
}

export function addFamilyFlags(command: Command): Command {
  return command
    .option("--preview", "Radius.Core only (so does RADIUS_PREVIEW=true)")
    .option("--no-preview", "Applications.Core only, whatever RADIUS_PREVIEW says");
}

/** Whether the newer family was asked for, or the older one; `undefined` when neither was. */
export function isPreview({ host }: CommandContext, { preview }: FamilyOptions): boolean | undefined {
  return preview ?? (host.env["RADIUS_PREVIEW"]?.toLowerCase() === "true" ? true : undefined);
}

/** Where to look for a resource: in the family that was asked for, else in both. */
export function chosenFamilies(context: CommandContext, options: FamilyOptions): readonly Family[] {
  const preview = isPreview(context, options);
  return preview === undefined ? families : [familyOf(preview)];
}

/** The family in which something new is created. */
export function newFamily(context: CommandContext, options: FamilyOptions): Family {
  return familyOf(isPreview(context, options) === true);
}

function familyOf(preview: boolean): Family {
  const [older, newer] = families;
  return preview ? newer : older;
}
