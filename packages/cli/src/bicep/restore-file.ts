import { resolve } from "node:path";
import { Compilation } from "@rad/bicep";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { openDisk, restore } from "./compile.ts";
import { toCompilerPath } from "@rad/artifacts/files";

/** Fetches every artifact that a file and the files it uses name. @throws CliError when one cannot be had. */
export async function restoreFile(context: CommandContext, file: string, force: boolean): Promise<void> {
  const path = toCompilerPath(resolve(context.host.cwd, file));
  const disk = openDisk(context.host, undefined);
  const read = disk.readFile(path);
  if ("problem" in read) {
    throw new CliError("FileUnreadable", `${file} cannot be read (${read.problem}).`);
  }
  const outcomes = await restore(context.host, new Compilation({ host: disk }).artifacts(path), force);
  for (const { artifact, outcome, error } of outcomes) {
    if (error === undefined) {
      context.output.note(`${artifact.reference.text} ${outcome === "present" ? "is there already" : "restored"}`);
    } else {
      context.output.note(`${artifact.reference.text} failed: ${error.message} (${error.code})`);
    }
  }
  const failed = outcomes.filter(({ outcome }) => outcome === "failed");
  if (failed.length > 0) {
    throw new CliError("RestoreFailed", `${failed.length} of ${outcomes.length} artifacts could not be restored.`);
  }
}
