import { ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { compileFile } from "./compile.ts";
import type { CompileOptions } from "./compile.ts";
import { parseDiagnosticsFormat, reportDiagnostics } from "./report-diagnostics.ts";

export interface LintOptions extends CompileOptions {
  readonly diagnosticsFormat?: string;
}

/** Tells what is wrong with a file and the files that it uses. @throws ReportedFailure when something is an error. */
export async function lintFile(context: CommandContext, file: string, options: LintOptions): Promise<void> {
  const format = parseDiagnosticsFormat(options.diagnosticsFormat);
  const compiled = await compileFile(context, file, options);
  if (await reportDiagnostics(context, compiled.compilation.diagnostics(compiled.path), format, compiled)) {
    throw new ReportedFailure(`${file} has errors.`);
  }
}
