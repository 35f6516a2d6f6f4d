import { resolve } from "node:path";
import { Compilation } from "@rad/bicep";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { openDisk, restore } from "./compile.ts";
import { unreadableFile } from "../unreadable-file.ts";
import { toCompilerPath } from "@rad/artifacts/files";

export interface RestoreOptions {
  /** Fetches also what is there already. */
  readonly force?: boolean;
  /** `false` leaves the control plane of the workspace alone. */
  readonly registeredTypes?: boolean;
}

/**
 * Fetches every artifact that a file and the files it uses name, and the registered types for `extension radius`.
 * @throws CliError when an artifact cannot be had
 */
export async function restoreFile(context: CommandContext, file: string, options: RestoreOptions): Promise<void> {
  const path = toCompilerPath(resolve(context.host.cwd, file));
  const disk = openDisk(context.host, undefined);
  const read = disk.readFile(path);
  if ("problem" in read) {
    throw unreadableFile(file, read.problem);
  }
  const compilation = new Compilation({ host: disk });
  if (options.registeredTypes !== false && compilation.extensionNames(path).has("radius")) {
    const { restoreRegisteredTypes } = await import("../registered-types/registered-types.ts");
    await restoreRegisteredTypes(context);
  }
  const outcomes = await restore(context.host, compilation.artifacts(path), options.force === true);
  for (const { artifact, outcome, error } of outcomes) {
    if (error === undefined) {
      context.output.note(`${artifact.reference.text} ${outcome === "present" ? "is there already" : "restored"}`);
    } else {
      context.output.note(`${artifact.reference.text} failed: ${error.message} (${error.code})`);
    }
  }
  if (context.output.format === "json" && outcomes.every(({ error }) => error === undefined)) {
    context.output.json(outcomes.map(({ artifact, outcome }) => ({ artifact: artifact.reference.text, outcome })));
  }
  const failed = outcomes.filter(({ outcome }) => outcome === "failed");
  if (failed.length > 0) {
    throw new CliError("RestoreFailed", `${failed.length} of ${outcomes.length} artifacts could not be restored.`);
  }
}
