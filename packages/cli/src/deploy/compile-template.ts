import type { FileDiagnostics } from "@rad/bicep";
import { parseTemplate } from "@rad/client/deploying";
import { compileFile } from "../bicep/compile.ts";
import { generatorVersion } from "../bicep/generator-version.ts";
import { reportDiagnostics } from "../bicep/report-diagnostics.ts";
import { ReportedFailure } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { remoteDiagnostics } from "./remote-diagnostics.ts";
import type { TemplateSource } from "./template-source.ts";

/** A folder with nothing but what was downloaded from a URL. */
interface DownloadFolder {
  readonly root: string;
  /** The URL, as the user is shown it. */
  readonly display: string;
}

/**
 * Compiles a Bicep file, and reports what there is to say about it. What was downloaded reads nothing outside of its
 * folder. @throws ReportedFailure when it has errors
 */
export async function compileTemplate(
  context: CommandContext,
  file: string,
  download: DownloadFolder | undefined,
): Promise<Omit<TemplateSource, "display">> {
  const root = download?.root;
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
  const shown = (one: FileDiagnostics): FileDiagnostics =>
    download === undefined ? one : remoteDiagnostics(one, download.display);
  const hasErrors = await reportDiagnostics(context, files.map(shown), "default");
  if (hasErrors || result?.sourceMap === undefined) {
    throw new ReportedFailure(`${file} has errors.`);
  }
  const { sourceMap } = result;
  const template = parseTemplate(result.text, file);
  return { template, path, origins: { sourceMap, file: (source) => shown(compilation.fileDiagnostics(source)) } };
}
