import { withoutRepeatedWarnings } from "@rad/bicep";
import type { FileDiagnostics } from "@rad/bicep";
import type { JsonObject } from "@rad/core";
import { ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Notice } from "../notice.ts";
import { compileFile } from "./compile.ts";
import type { CompileOptions } from "./compile.ts";
import { reportSummary } from "./diagnostic-summary.ts";
import { parseDiagnosticsFormat, reportDiagnostics } from "./report-diagnostics.ts";
import { sourceFiles } from "./source-files.ts";

export interface LintOptions extends CompileOptions {
  readonly diagnosticsFormat?: string;
}

/**
 * Reports what is wrong with files and the files that they use; with `-o json` the document lists it, errors or not.
 * @throws ReportedFailure when something is an error
 */
export async function lintFiles(context: CommandContext, args: readonly string[], options: LintOptions): Promise<void> {
  const format = parseDiagnosticsFormat(options.diagnosticsFormat);
  // A module or a manifest that several files use is reported once.
  const found = new Map<string, FileDiagnostics>();
  const manifests = new Map<string, FileDiagnostics>();
  const notices = new Map<string, Notice>();
  for (const file of await sourceFiles(context.host, args)) {
    const compiled = await compileFile(context, file, options);
    compiled.compilation.diagnostics(compiled.path).forEach((one) => addFirst(found, one.path, one));
    compiled.manifests.forEach((one) => addFirst(manifests, one.path, one));
    compiled.notices.forEach((one) => addFirst(notices, one.message, one));
  }
  const files = withoutRepeatedWarnings([...found.values()]);
  const remarks = { manifests: [...manifests.values()], notices: [...notices.values()] };
  const hasErrors = await reportDiagnostics(context, files, format, remarks);
  reportSummary(context, [...files, ...remarks.manifests], format);
  if (context.output.format === "json") {
    context.output.json({ diagnostics: [...files, ...remarks.manifests].flatMap(listed) });
  }
  if (hasErrors) {
    throw new ReportedFailure("Some files have errors.");
  }
}

function listed({ path, lineMap, diagnostics }: FileDiagnostics): JsonObject[] {
  return diagnostics.map(({ code, level, message, span }) => {
    const { line, column } = lineMap.position(span.start);
    return { file: path, line, column, level, code, message };
  });
}

function addFirst<T>(found: Map<string, T>, key: string, one: T): void {
  if (!found.has(key)) {
    found.set(key, one);
  }
}
