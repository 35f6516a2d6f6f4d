import { isDeepStrictEqual } from "node:util";
import { ConfigurationError } from "./configuration-error.ts";
import { readTerraformrc } from "./read-terraformrc.ts";
import type { InstallationMethod, TerraformrcOptions } from "./installation-methods.ts";
import { installationMethods, renderMethods } from "./installation-methods.ts";

/**
 * The CLI configuration, read back before it is used: Terraform goes on without a file that it cannot read, and would
 * then install providers from the internet. It always names its installation methods: without any, Terraform would also
 * look into plugin folders of this machine. Tokens are not in it but in variables.
 *
 * @throws ConfigurationError when it does not say what it should
 */
export function terraformrcOf(options: TerraformrcOptions): string {
  const methods = installationMethods(options);
  const text = renderMethods(methods);
  checkTerraformrc(text, methods);
  return text;
}

/** @throws ConfigurationError when a text does not parse, or not into these methods */
export function checkTerraformrc(text: string, methods: readonly InstallationMethod[]): void {
  const read = readTerraformrc(text);
  if (read === undefined) {
    throw refused("does not parse");
  }
  if (!isDeepStrictEqual(read, JSON.parse(JSON.stringify(methods)))) {
    throw refused("does not say what the settings say");
  }
}

function refused(problem: string): ConfigurationError {
  return new ConfigurationError(
    "RecipeConfigurationFailure",
    `The CLI configuration for Terraform, made from terraformrc of the settings, ${problem}. Check its mirror and patterns.`,
  );
}
