import { relative } from "node:path";
import { parseExactJson } from "@rad/client/deploying";
import type { JsonObject } from "@rad/core";
import { isJsonObject } from "@rad/core";
import { compilationFailure } from "../../bicep/compilation-failure.ts";
import { compileFile } from "../../bicep/compile.ts";
import type { Compiled } from "../../bicep/compile.ts";
import type { TypeOptions } from "../../bicep/load-types.ts";
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
  { registeredTypes, loadRegisteredTypes }: TypeOptions,
): Promise<JsonObject> {
  const compiled = await compileFile(context, file, { registeredTypes, loadRegisteredTypes });
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
  if (document["usingConfig"] !== undefined) {
    context.output.note(`Warning: what ${file} says after \`using … with\` has no effect on rad deploy.`);
  }
  return document;
}

/** The file that a parameters file names after `using`. @throws CliError after `using none` */
export async function findUsingTemplate(context: CommandContext, file: string): Promise<string> {
  const compiled = await compileFile(context, file, {});
  const using = usingPath(compiled);
  if (using !== undefined) {
    return shortPath(context.host.cwd, using);
  }
  const files = compiled.compilation.diagnostics(compiled.path);
  if (await reportDiagnostics(context, files, "default", compiled)) {
    throw compilationFailure(file, files);
  }
  throw new CliError(
    "InvalidUsage",
    `${file} names no template (\`using none\`). Deploy one with it: \`rad deploy app.bicep -p ${file}\`.`,
  );
}

/** Relative where that is shorter to read. */
function shortPath(from: string, path: string): string {
  const short = relative(from, path);
  return short.startsWith("..") ? path : short;
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
