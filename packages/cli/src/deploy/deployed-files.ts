import type { CommandContext } from "../command-context.ts";
import { isUrl } from "./template-url.ts";

/** A template and the arguments of `-p` that go with it. */
export interface DeployedFiles {
  readonly template: string;
  readonly parameters: readonly string[];
}

/** What `rad deploy` is asked for: a parameters file stands for the template that it names after `using`. */
export async function deployedFiles(
  context: CommandContext,
  file: string,
  parameters: readonly string[],
): Promise<DeployedFiles> {
  if (isUrl(file) || !file.toLowerCase().endsWith(".bicepparam")) {
    return { template: file, parameters };
  }
  const { findUsingTemplate } = await import("./parameters/compile-parameters.ts");
  return { template: await findUsingTemplate(context, file), parameters: [`@${file}`, ...parameters] };
}
