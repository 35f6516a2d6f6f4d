import type { Diagnostic, FileDiagnostics } from "@rad/bicep";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { compilationFailure } from "./compilation-failure.ts";
import { compileFile } from "./compile.ts";
import type { CompileOptions } from "./compile.ts";
import { reportSummary } from "./diagnostic-summary.ts";
import { generatorVersion } from "./generator-version.ts";
import { outputPath, writeResult } from "./output-file.ts";
import type { OutputOptions } from "./output-file.ts";
import { parseDiagnosticsFormat, reportDiagnostics } from "./report-diagnostics.ts";

export interface BuildOptions extends CompileOptions, OutputOptions {
  readonly diagnosticsFormat?: string;
}

/** Compiles a Bicep file to an ARM template. With errors nothing is written. @throws ReportedFailure */
export async function buildTemplate(context: CommandContext, file: string, options: BuildOptions): Promise<void> {
  if (file.toLowerCase().endsWith(".bicepparam")) {
    throw new CliError("InvalidUsage", `${file} is a parameters file. Use \`rad bicep build-params\` for it.`);
  }
  const format = parseDiagnosticsFormat(options.diagnosticsFormat);
  const target = outputPath(context.host, file, options);
  const compiled = await compileFile(context, file, options);
  const { compilation, path } = compiled;
  const result = compilation.emitTemplate(path, { generatorVersion: generatorVersion(context.host) });
  const files = withMore(compilation.diagnostics(path), result?.diagnostics ?? []);
  const hasErrors = await reportDiagnostics(context, files, format, compiled);
  reportSummary(context, [...files, ...compiled.manifests], format);
  if (hasErrors || result === undefined) {
    throw compilationFailure(file, [...files, ...compiled.manifests]);
  }
  if (target === undefined) {
    context.output.write(`${result.text}\n`);
  } else {
    await writeResult(context, target, result.text);
  }
}

/** The first file with what the emitter had to add. */
function withMore(files: readonly FileDiagnostics[], more: readonly Diagnostic[]): readonly FileDiagnostics[] {
  return more.length === 0
    ? files
    : files.map((file, index) => (index === 0 ? { ...file, diagnostics: [...file.diagnostics, ...more] } : file));
}
