import { parseExactJson } from "@rad/client/deploying";
import type { JsonObject } from "@rad/core";
import { isJsonObject } from "@rad/core";
import { compilationFailure } from "../../bicep/compilation-failure.ts";
import { compileFile } from "../../bicep/compile.ts";
import type { Compiled } from "../../bicep/compile.ts";
import { reportDiagnostics } from "../../bicep/report-diagnostics.ts";
import { CliError } from "../../cli-error.ts";
import type { CommandContext } from "../../command-context.ts";

/**
 * The document that a `.bicepparam` file stands for. `template` is the path of what is being deployed: a file that is
 * meant for another one is used all the same, with a warning. @throws ReportedFailure when it has errors
 */
export async function compileParameters(
  context: CommandContext,
  file: string,
  template: string | undefined,
): Promise<JsonObject> {
  const compiled = await compileFile(context.host, file, {});
  const { compilation, path } = compiled;
  const files = compilation.diagnostics(path);
  const hasErrors = await reportDiagnostics(context, files, "default");
  const result = compilation.emitParameters(path);
  if (hasErrors || result === undefined) {
    throw compilationFailure(file, files);
  }
  const using = usingPath(compiled);
  if (using !== undefined && using !== template) {
    context.output.note(`Warning: ${file} is written for ${using}, which is not the template that is deployed.`);
  }
  const document = parseExactJson(result.text, file);
  if (!isJsonObject(document)) {
    throw new CliError("InvalidParameterFile", `${file} does not compile to a parameters file.`);
  }
  if (document["externalInputDefinitions"] !== undefined) {
    throw new CliError("InvalidParameterFile", `${file} uses external inputs, which rad deploy cannot look up.`);
  }
  return document;
}

/** The template after `using`; none after `using none`. */
function usingPath({ compilation, path }: Compiled): string | undefined {
  const origin = compilation.model(path)?.usingTemplate?.origin;
  switch (origin?.kind) {
    case undefined:
      return undefined;
    case "arm":
      return origin.path;
    case "bicep":
      return origin.model.file.path;
    default:
      return origin satisfies never;
  }
}
