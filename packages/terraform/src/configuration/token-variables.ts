import type { SecretReference } from "@rad/core";
import { asciiHostName, registryHostProblem } from "@rad/core/terraform";
import { ConfigurationError } from "./configuration-error.ts";
import type { SecretLookup } from "./secret-lookup.ts";
import type { HostCredentials, TerraformrcSettings } from "./terraform-settings.ts";

/**
 * The variable that Terraform reads the token of a registry from: dots are underscores, hyphens two of them. A port stays
 * in it, which a shell could not set but a child process gets.
 */
export function tokenVariable(host: string): string {
  const [, name = host, port = ""] = /^(.*?)(:[0-9]+)?$/u.exec(host) ?? [];
  const ascii = asciiHostName(name);
  if (registryHostProblem(host) !== undefined || ascii === undefined) {
    throw new ConfigurationError(
      "RecipeConfigurationFailure",
      "A key of terraformrc.credentials is not the host of a registry.",
    );
  }
  const suffix = port === ":443" ? "" : port;
  return `TF_TOKEN_${ascii.replaceAll("-", "__").replaceAll(".", "_")}${suffix}`;
}

/** The tokens of every registry and mirror in the settings, as variables of the child process. */
export function tokenVariables(
  terraformrc: TerraformrcSettings | undefined,
  secrets: SecretLookup,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [host, credentials] of Object.entries(terraformrc?.credentials ?? {})) {
    variables[tokenVariable(host)] = secrets(tokenReference(credentials));
  }
  return variables;
}

export function tokenReference(credentials: HostCredentials): SecretReference {
  return "token" in credentials ? credentials.token : { secretId: credentials.secret, key: "token" };
}
