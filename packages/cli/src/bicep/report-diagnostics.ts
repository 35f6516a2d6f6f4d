import type { FileDiagnostics } from "@rad/bicep";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { noticeLine } from "../notice.ts";
import { colorsFor } from "../output/colors.ts";
import { cliVersion } from "../version.ts";
import type { Compiled } from "./compile.ts";

export type DiagnosticsFormat = "default" | "sarif";

export function parseDiagnosticsFormat(text: string | undefined): DiagnosticsFormat {
  const format = (text ?? "default").toLowerCase();
  if (format !== "default" && format !== "sarif") {
    throw new CliError("InvalidUsage", `unsupported diagnostics format "${text}", supported are: default, sarif`);
  }
  return format;
}

/** What a compilation has to say besides the diagnostics of Bicep files. */
type Remarks = Pick<Compiled, "manifests" | "notices">;

/** Writes diagnostics to stderr, where they never mix with a result on stdout. Tells whether one is an error. */
export async function reportDiagnostics(
  context: CommandContext,
  bicepFiles: readonly FileDiagnostics[],
  format: DiagnosticsFormat,
  { manifests, notices }: Remarks = { manifests: [], notices: [] },
): Promise<boolean> {
  const { host } = context;
  const files = [...bicepFiles, ...manifests];
  if (format === "sarif") {
    const { sarifLog } = await import("./sarif.ts");
    host.stderr.write(sarifLog(files, notices, cliVersion.version));
    return hasError(files);
  }
  for (const notice of notices) {
    context.output.note(noticeLine(notice));
  }
  if (files.some(({ diagnostics }) => diagnostics.length > 0)) {
    const { diagnosticText } = await import("./diagnostic-text.ts");
    const excerpts = host.stderr.isTTY === true;
    host.stderr.write(diagnosticText(files, { excerpts, colors: colorsFor(host, host.stderr, !excerpts) }));
  }
  return hasError(files);
}

function hasError(files: readonly FileDiagnostics[]): boolean {
  return files.some(({ diagnostics }) => diagnostics.some(({ level }) => level === "error"));
}
