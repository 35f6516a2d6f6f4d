import { readFile } from "node:fs/promises";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { BuildOptions } from "./build.ts";
import { compilationFailure } from "./compilation-failure.ts";
import { compileFile } from "./compile.ts";
import type { Compiled } from "./compile.ts";
import { reportSummary } from "./diagnostic-summary.ts";
import { generatorVersion } from "./generator-version.ts";
import { outputPath, writeResult } from "./output-file.ts";
import { parseDiagnosticsFormat, reportDiagnostics } from "./report-diagnostics.ts";
import type { DiagnosticsFormat } from "./report-diagnostics.ts";

/** Compiles a parameters file to JSON. With errors nothing is written. @throws ReportedFailure */
export async function buildParameters(context: CommandContext, file: string, options: BuildOptions): Promise<void> {
  if (!file.toLowerCase().endsWith(".bicepparam")) {
    throw new CliError("InvalidUsage", `${file} is no .bicepparam file. Use \`rad bicep build\` for templates.`);
  }
  const format = parseDiagnosticsFormat(options.diagnosticsFormat);
  const target = outputPath(context.host, file, options);
  const compiled = await compileFile(context, file, options);
  const { compilation, path } = compiled;
  const files = compilation.diagnostics(path);
  const hasErrors = await reportDiagnostics(context, files, format, compiled);
  reportSummary(context, [...files, ...compiled.manifests], format);
  const result = compilation.emitParameters(path);
  if (hasErrors || result === undefined) {
    throw compilationFailure(file, [...files, ...compiled.manifests]);
  }
  if (target !== undefined) {
    await writeResult(context, target, result.text);
    return;
  }
  // Whoever reads stdout gets the template along with the values, as from the official compiler.
  const templateJson = await templateText(context, compiled, format);
  context.output.write(`${JSON.stringify({ parametersJson: result.text, templateJson, templateSpecId: null })}\n`);
}

/** The template that the parameters are for; none after `using none`. */
async function templateText(
  context: CommandContext,
  { compilation, path }: Compiled,
  format: DiagnosticsFormat,
): Promise<string | null> {
  const origin = compilation.model(path)?.usingTemplate?.origin;
  switch (origin?.kind) {
    case undefined:
      return null;
    case "arm":
      return readFile(origin.path, "utf8");
    case "bicep": {
      const source = origin.model.file.path;
      const result = compilation.emitTemplate(source, { generatorVersion: generatorVersion(context.host) });
      const diagnostics = result?.diagnostics ?? [];
      if (diagnostics.length > 0) {
        const files = [{ ...compilation.fileDiagnostics(source), diagnostics }];
        await reportDiagnostics(context, files, format);
        throw compilationFailure(source, files);
      }
      return result?.text ?? null;
    }
    default:
      return origin satisfies never;
  }
}
