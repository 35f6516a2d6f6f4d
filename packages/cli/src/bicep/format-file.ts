import { resolve } from "node:path";
import { Compilation, formatBicep, parseBicep, parseParams } from "@rad/bicep";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { openDisk } from "./compile.ts";
import { toCompilerPath } from "@rad/artifacts/files";
import { writeOutput } from "./output-file.ts";

/** Lays out a file as its `bicepconfig.json` says, in place or to stdout. A file that is laid out well stays untouched. */
export async function formatFile(context: CommandContext, file: string, stdout: boolean): Promise<void> {
  const target = resolve(context.host.cwd, file);
  const path = toCompilerPath(target);
  const disk = openDisk(context.host, undefined);
  const read = disk.readFile(path);
  if ("problem" in read) {
    throw new CliError("FileUnreadable", `${file} cannot be read (${read.problem}).`);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(read.bytes);
  } catch {
    // Writing the file back would replace what could not be read.
    throw new CliError("InvalidEncoding", `${file} is not UTF-8.`);
  }
  const { formatting } = new Compilation({ host: disk }).configuration(path);
  const syntax = path.toLowerCase().endsWith(".bicepparam") ? parseParams(text) : parseBicep(text);
  const formatted = formatBicep(syntax, formatting);
  if (stdout) {
    context.output.write(formatted);
  } else if (formatted !== text) {
    await writeOutput(target, formatted);
  }
}
