import type { FileDiagnostics } from "@rad/bicep";
import { parseTemplate } from "@rad/client/deploying";
import { compilationFailure } from "../bicep/compilation-failure.ts";
import { compileFile } from "../bicep/compile.ts";
import type { CompileOptions } from "../bicep/compile.ts";
import { generatorVersion } from "../bicep/generator-version.ts";
import { reportDiagnostics } from "../bicep/report-diagnostics.ts";
import type { CommandContext } from "../command-context.ts";
import { remoteDiagnostics } from "./remote-diagnostics.ts";
import type { TemplateSource } from "./template-source.ts";

/**
 * Compiles a Bicep file, and reports what there is to say about it. @throws ReportedFailure when it has errors
 * @param download the URL it came from, as the user is shown it
 */
export async function compileTemplate(
  context: CommandContext,
  file: string,
  options: CompileOptions,
  download?: string,
): Promise<Omit<TemplateSource, "display">> {
  const compiled = await compileFile(context, file, options);
  const { compilation, path } = compiled;
  const result = compilation.emitTemplate(path, {
    generatorVersion: generatorVersion(context.host),
    sourceMap: true,
  });
  const [main, ...modules] = compilation.diagnostics(path);
  const files =
    main === undefined
      ? []
      : [{ ...main, diagnostics: [...main.diagnostics, ...(result?.diagnostics ?? [])] }, ...modules];
  const shown = (one: FileDiagnostics): FileDiagnostics =>
    download === undefined ? one : remoteDiagnostics(one, download);
  const hasErrors = await reportDiagnostics(context, files.map(shown), "default", compiled);
  if (hasErrors || result?.sourceMap === undefined) {
    throw compilationFailure(file, files);
  }
  const { sourceMap } = result;
  const template = parseTemplate(result.text, file);
  return { template, path, origins: { sourceMap, file: (source) => shown(compilation.fileDiagnostics(source)) } };
}
