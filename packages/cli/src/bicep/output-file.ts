import { basename, extname, join, resolve } from "node:path";
import { CliError, systemCode } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { CliHost } from "../host.ts";

export interface OutputOptions {
  readonly stdout?: boolean;
  readonly outfile?: string;
  readonly outdir?: string;
}

/** Where a result goes: nowhere but stdout, or to a file. @throws CliError when several places are asked for. */
export function outputPath(host: CliHost, input: string, options: OutputOptions): string | undefined {
  const { stdout, outfile, outdir } = options;
  const chosen = [stdout === true, outfile !== undefined, outdir !== undefined].filter(Boolean);
  if (chosen.length > 1) {
    throw new CliError("InvalidUsage", "`--stdout`, `--outfile` and `--outdir` exclude one another.");
  }
  if (stdout === true) {
    return undefined;
  }
  if (outfile !== undefined) {
    return resolve(host.cwd, outfile);
  }
  const source = resolve(host.cwd, input);
  const name = `${basename(source, extname(source))}.json`;
  return outdir === undefined ? join(source, "..", name) : join(resolve(host.cwd, outdir), name);
}

/** Writes a result to its file, which `-o json` names. */
export async function writeResult(context: CommandContext, target: string, text: string): Promise<void> {
  await writeOutput(target, text);
  if (context.output.format === "json") {
    context.output.json({ target });
  }
}

/** Replaces a file as a whole: whoever reads it sees the old content or the new. */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  const { writeFileAtomically } = await import("@rad/artifacts/files");
  try {
    await writeFileAtomically(path, content, { mode: 0o644 });
  } catch (error) {
    throw new CliError("FileUnwritable", `${path} cannot be written (${systemCode(error) ?? "unknown error"}).`);
  }
}
