import { access } from "node:fs/promises";
import { resolve } from "node:path";
import type { FileDiagnostics, SourceMap } from "@rad/bicep";
import { parseTemplate } from "@rad/client/deploying";
import type { JsonObject } from "@rad/core";
import { toCompilerPath } from "@rad/artifacts/files";
import type { CompileOptions } from "../bicep/compile.ts";
import { CliError, systemCode } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { readInput } from "../read-input.ts";
import { displayUrl, isUrl } from "./template-url.ts";

/** A template, and the way back to what it was written in. */
export interface TemplateSource {
  readonly template: JsonObject;
  /** As the user is shown it. */
  readonly display: string;
  /** The file as the compiler writes it; what a parameters file names after `using`. */
  readonly path: string;
  /** Only of what was compiled here. */
  readonly origins: TemplateOrigins | undefined;
}

export interface TemplateOrigins {
  readonly sourceMap: SourceMap;
  /** Text and lines of a source file, for excerpts. */
  file(path: string): FileDiagnostics;
}

/** Reads, downloads or compiles what `rad deploy` is given. @throws ReportedFailure when it does not compile */
export async function loadTemplate(
  context: CommandContext,
  given: string,
  options: CompileOptions,
): Promise<TemplateSource> {
  if (!isUrl(given)) {
    return loadFile(context, given, given, options);
  }
  const { downloadTemplate } = await import("./download-template.ts");
  const display = displayUrl(given);
  await using downloaded = await downloadTemplate(context, given);
  // What comes from elsewhere must not read this machine's files and send them away.
  return await loadFile(context, downloaded.file, display, { ...options, root: downloaded.folder });
}

async function loadFile(
  context: CommandContext,
  file: string,
  display: string,
  options: CompileOptions,
): Promise<TemplateSource> {
  const name = file.toLowerCase();
  if (name.endsWith(".bicep")) {
    await mustExist(context, file, display);
    context.output.note(`Building ${display}...`);
    const { compileTemplate } = await import("./compile-template.ts");
    const download = options.root === undefined ? undefined : display;
    return { ...(await compileTemplate(context, file, options, download)), display };
  }
  if (name.endsWith(".json")) {
    const template = parseTemplate(await readInput(context.host, file), display);
    return { template, display, path: toCompilerPath(resolve(context.host.cwd, file)), origins: undefined };
  }
  throw new CliError("InvalidUsage", `${display} is neither a .bicep, a .bicepparam nor a .json file.`);
}

/** The compiler would say so at line 1, column 1 of a file that is not there. */
async function mustExist({ host }: CommandContext, file: string, display: string): Promise<void> {
  const isThere = await access(resolve(host.cwd, file)).then(
    () => true,
    (error: unknown) => systemCode(error) !== "ENOENT",
  );
  if (!isThere) {
    throw new CliError("FileUnreadable", `${display} does not exist.`, { missing: { kind: "files", name: file } });
  }
}
