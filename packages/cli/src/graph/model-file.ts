import { basename, extname } from "node:path";
import { declaredParameters, mergeParameters } from "@rad/client/deploying";
import type { CommandContext } from "../command-context.ts";
import { deployedFiles } from "../deploy/deployed-files.ts";
import { readParameters } from "../deploy/parameters/read-parameters.ts";
import { loadTemplate } from "../deploy/template-source.ts";
import type { ModeledResource } from "./modeled-resources.ts";
import { modeledResources } from "./modeled-resources.ts";

export interface ModeledFile {
  readonly resources: readonly ModeledResource[];
  /** The one application in it, else the name of the file. */
  readonly application: string;
}

/** Compiles a file and says what it would deploy into `group`. No control plane is asked. @throws ReportedFailure */
export async function modelFile(
  context: CommandContext,
  file: string,
  parameters: readonly string[],
  group: string,
): Promise<ModeledFile> {
  const given = await deployedFiles(context, file, parameters);
  const { template, path } = await loadTemplate(context, given.template, {});
  const { sources } = await readParameters(context, given.parameters, path);
  const resources = modeledResources(template, mergeParameters(declaredParameters(template), sources), group);
  const applications = resources.filter(({ type }) => type.toLowerCase().endsWith(".core/applications"));
  const [only] = applications.length === 1 ? applications : [];
  return { resources, application: only?.id.split("/").at(-1) ?? basename(file, extname(file)) };
}
