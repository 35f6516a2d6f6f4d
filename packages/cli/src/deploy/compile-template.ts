import { parseTemplate } from "@rad/client/deploying";
import { compilationFailure } from "../bicep/compilation-failure.ts";
import { compileFile } from "../bicep/compile.ts";
import { generatorVersion } from "../bicep/generator-version.ts";
import { reportDiagnostics } from "../bicep/report-diagnostics.ts";
import type { CommandContext } from "../command-context.ts";
import type { TemplateSource } from "./template-source.ts";

/**
 * Compiles a Bicep file, which reads nothing outside of `root` if there is one, and reports what there is to say about
 * it. @throws ReportedFailure when it has errors
 */
export async function compileTemplate(
  context: CommandContext,
  file: string,
  root: string | undefined,
): Promise<Omit<TemplateSource, "display">> {
  const { compilation, path } = await compileFile(context.host, file, root === undefined ? {} : { root });
  const result = compilation.emitTemplate(path, {
    generatorVersion: generatorVersion(context.host),
    sourceMap: true,
  });
  const [main, ...modules] = compilation.diagnostics(path);
  const files =
    main === undefined
      ? []
      : [{ ...main, diagnostics: [...main.diagnostics, ...(result?.diagnostics ?? [])] }, ...modules];
  const hasErrors = await reportDiagnostics(context, files, "default");
  if (hasErrors || result?.sourceMap === undefined) {
    throw compilationFailure(file, files);
  }
  const { sourceMap } = result;
  const template = parseTemplate(result.text, file);
  return { template, path, origins: { sourceMap, file: (source) => compilation.fileDiagnostics(source) } };
}
