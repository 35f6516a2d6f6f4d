import { resolve } from "node:path";
import { toCompilerPath } from "@rad/artifacts/files";
import { Compilation, formatBicep, parseBicep, parseParams } from "@rad/bicep";
import { CliError, ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { openDisk } from "./compile.ts";
import { writeOutput } from "./output-file.ts";
import { unreadableFile } from "../unreadable-file.ts";
import { sourceFiles } from "./source-files.ts";

export interface FormatFilesOptions {
  readonly stdout?: boolean;
  readonly check?: boolean;
}

interface FormattedFile {
  readonly file: string;
  readonly text: string;
  readonly formatted: string;
}

/**
 * Formats files as their `bicepconfig.json` says: in place, or to stdout. A file that is formatted already stays
 * untouched, and nothing is written when one of the files cannot be read.
 * @throws ReportedFailure when files are only checked, and some are not formatted
 */
export async function formatFiles(
  context: CommandContext,
  args: readonly string[],
  options: FormatFilesOptions,
): Promise<void> {
  if (options.check === true && options.stdout === true) {
    throw new CliError("InvalidUsage", "`--check` and `--stdout` exclude one another.");
  }
  const files = await sourceFiles(context.host, args);
  if (options.stdout === true && files.length > 1) {
    throw new CliError("InvalidUsage", `\`--stdout\` takes one file, and these are ${files.length}.`);
  }
  const formatted = files.map((file) => formatFile(context, file));
  if (options.stdout === true) {
    formatted.forEach((file) => context.output.write(file.formatted));
    return;
  }
  const changed = formatted.filter((file) => file.formatted !== file.text);
  if (options.check !== true) {
    for (const { file, formatted: text } of changed) {
      await writeOutput(resolve(context.host.cwd, file), text);
    }
    listInJson(context, "formatted", changed);
    return;
  }
  listInJson(context, "notFormatted", changed);
  if (changed.length > 0) {
    if (context.output.format !== "json") {
      changed.forEach(({ file }) => context.output.write(`${file}\n`));
    }
    const count = changed.length === 1 ? "1 file is" : `${changed.length} files are`;
    context.output.note(`${count} not formatted. Run \`rad bicep format\` on the same arguments.`);
    throw new ReportedFailure("Some files are not formatted.");
  }
}

function listInJson({ output }: CommandContext, member: string, files: readonly FormattedFile[]): void {
  if (output.format === "json") {
    output.json({ [member]: files.map(({ file }) => file) });
  }
}

function formatFile({ host }: CommandContext, file: string): FormattedFile {
  const path = toCompilerPath(resolve(host.cwd, file));
  const disk = openDisk(host, undefined);
  const read = disk.readFile(path);
  if ("problem" in read) {
    throw unreadableFile(file, read.problem);
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
  return { file, text, formatted: formatBicep(syntax, formatting) };
}
