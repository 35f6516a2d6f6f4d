import { withoutRepeatedWarnings } from "@rad/bicep";
import type { FileDiagnostics } from "@rad/bicep";
import { ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { compileFile } from "./compile.ts";
import type { CompileOptions } from "./compile.ts";
import { reportSummary } from "./diagnostic-summary.ts";
import { parseDiagnosticsFormat, reportDiagnostics } from "./report-diagnostics.ts";
import { sourceFiles } from "./source-files.ts";

export interface LintOptions extends CompileOptions {
  readonly diagnosticsFormat?: string;
}

/** Reports what is wrong with files and the files that they use. @throws ReportedFailure when something is an error. */
export async function lintFiles(context: CommandContext, args: readonly string[], options: LintOptions): Promise<void> {
  const format = parseDiagnosticsFormat(options.diagnosticsFormat);
  // A module that several files use is reported once.
  const found = new Map<string, FileDiagnostics>();
  for (const file of await sourceFiles(context.host, args)) {
    const { compilation, path } = await compileFile(context.host, file, options);
    for (const diagnostics of compilation.diagnostics(path)) {
      if (!found.has(diagnostics.path)) {
        found.set(diagnostics.path, diagnostics);
      }
    }
  }
  const files = withoutRepeatedWarnings(Array.from(found.values()));
  const hasErrors = await reportDiagnostics(context, files, format);
  reportSummary(context, files, format);
  if (hasErrors) {
    throw new ReportedFailure("Some files have errors.");
  }
}
