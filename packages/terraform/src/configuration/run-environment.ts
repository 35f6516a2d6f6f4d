import { devNull } from "node:os";
import { isReservedVariable, isVariableName } from "@rad/core/terraform";
import { ConfigurationError } from "./configuration-error.ts";
import { type GitCredential, gitVariables } from "./git-credentials.ts";
import type { SecretLookup } from "./secret-lookup.ts";
import type { RecipeConfig, TerraformSettings } from "./terraform-settings.ts";
import { tokenVariables } from "./token-variables.ts";

export interface RunEnvironmentOptions {
  /** The folder of the run, which is its home too. */
  readonly folder: string;
  /** The file with the CLI configuration. */
  readonly terraformrc: string;
  /** Where `git` and `ssh` are, for modules that come from repositories. */
  readonly path: string;
  /** What the environment refers to. Then `recipeConfig` does not count. */
  readonly settings?: TerraformSettings | undefined;
  readonly recipeConfig?: RecipeConfig | undefined;
  readonly secrets: SecretLookup;
  /** For modules from private repositories. */
  readonly git?: readonly GitCredential[];
  /** The server's `terraform.logLevel`. */
  readonly logLevel: string;
  /** Proxies and authorities that the server is configured with. */
  readonly network?: Readonly<Record<string, string>>;
  /** `env` of the backend and of the main configuration. */
  readonly configuration: readonly Readonly<Record<string, string>>[];
}

/**
 * The environment of every Terraform process of a run, for deployment and for deletion. It starts from nothing: what the
 * server has in its own environment does not reach a run.
 *
 * @throws ConfigurationError for a variable that a run cannot have, and for a secret that was not loaded
 */
export function runEnvironment(options: RunEnvironmentOptions): Record<string, string> {
  const { folder, terraformrc, path, settings, recipeConfig, secrets } = options;
  const chosen = settings === undefined ? legacyVariables(recipeConfig ?? {}, secrets) : { ...settings.env };
  for (const name of Object.keys(chosen)) {
    if (!isVariableName(name) || isReservedVariable(name)) {
      throw new ConfigurationError(
        "RecipeConfigurationFailure",
        `The variable '${name}' cannot be set for Terraform: recipes are run with a value of the control plane's.`,
      );
    }
  }
  return {
    PATH: path,
    HOME: folder,
    // No prompt and no configuration of the server's account for modules from repositories.
    GIT_ASKPASS: "",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_SSH_COMMAND: "ssh -o BatchMode=yes",
    ...options.network,
    ...chosen,
    ...Object.assign({}, ...options.configuration),
    ...tokenVariables(settings?.terraformrc, secrets),
    ...gitVariables(options.git ?? [], { ...options.network, ...chosen }),
    ...logLevels(settings?.logging?.level ?? chosen["TF_LOG"], chosen, options.logLevel),
    TF_CLI_CONFIG_FILE: terraformrc,
    TF_IN_AUTOMATION: "1",
    TF_INPUT: "0",
    CHECKPOINT_DISABLE: "1",
  };
}

/** Terraform reads `TF_LOG_CORE` only where `TF_LOG` is not set; the server's level then is that of the providers. */
function logLevels(
  wanted: string | undefined,
  chosen: Readonly<Record<string, string>>,
  otherwise: string,
): Record<string, string> {
  return wanted === undefined && chosen["TF_LOG_CORE"] !== undefined
    ? { TF_LOG_PROVIDER: chosen["TF_LOG_PROVIDER"] ?? otherwise.toUpperCase() }
    : { TF_LOG: (wanted ?? otherwise).toUpperCase() };
}

/** A secret wins over a plain value of the same name. */
function legacyVariables({ env, envSecrets }: RecipeConfig, secrets: SecretLookup): Record<string, string> {
  const loaded = Object.entries(envSecrets ?? {}).map(([name, { source, key }]) => [
    name,
    secrets({ secretId: source, key }),
  ]);
  return { ...env, ...Object.fromEntries(loaded) };
}
