import { ApiError, type SecretReference, secretReferencesIn } from "@rad/core";
import { loadAwsCredential, loadAzureCredential, setupError } from "@rad/radius-types";
import {
  type CloudCredentials,
  type GitCredential,
  type GitToken,
  gitTokensOf,
  type RecipeConfig,
  recipeConfigSecrets,
  type SecretLookup,
  secretLookup,
  settingsSecrets,
  storedGitCredential,
  type TerraformSettings,
} from "@rad/terraform";
import type { DriverWork, RecipeInput } from "../driver.ts";
import { addressSecrets, type ModuleAccess, moduleAccess } from "./module-source.ts";
import { inRecipe } from "./run-failure.ts";

/** What the environment and the secrets give to a run, the same for deployment and deletion. */
export interface TerraformInputs {
  readonly settings: TerraformSettings | undefined;
  /** Not with settings. */
  readonly recipeConfig: RecipeConfig | undefined;
  readonly lookup: SecretLookup;
  readonly credentials: CloudCredentials;
  /** Where the module is, and what it takes to get it. */
  readonly module: ModuleAccess;
  /** Every value that was read. */
  readonly secrets: readonly string[];
}

/** @throws RecipeError `RecipeConfigurationFailure` or `LoadSecretsFailed`, before any process starts */
export async function loadInputs(
  { requireSettings }: { readonly requireSettings: boolean },
  work: DriverWork & Partial<Pick<RecipeInput, "parameters">>,
): Promise<TerraformInputs> {
  const { terraform } = work.configuration;
  if (terraform.kind === "none" && requireSettings) {
    throw setupError(
      "RecipeConfigurationFailure",
      inRecipe(
        work,
        `terraformSettings must be set on the environment "${work.environmentId.toString()}" to run Terraform recipes`,
      ) +
        " Create a Radius.Core/terraformSettings resource, set 'terraformSettings' of the environment to its id, " +
        "and run 'rad deploy' again.",
    );
  }
  const settings = terraform.kind === "settings" ? (terraform.properties as TerraformSettings) : undefined;
  const recipeConfig = terraform.kind === "recipeConfig" ? (terraform.properties as RecipeConfig) : undefined;
  const references = [
    ...(settings === undefined ? [] : settingsSecrets(settings)),
    ...(recipeConfig === undefined ? [] : recipeConfigSecrets(recipeConfig)),
    ...secretReferencesIn(work.parameters ?? {}),
  ];
  const tokens = gitTokensOf(settings, recipeConfig);
  const { loaded, git } = await loadSecrets(work, references, tokens);
  const [aws, azure] = await Promise.all([loadAwsCredential(work.resources), loadAzureCredential(work.resources)]);
  const secrets = [
    ...loaded.flatMap(([, values]) => Object.values(values)),
    ...addressSecrets(work.definition),
    ...(aws?.kind === "AccessKey" ? [aws.secretAccessKey, aws.accessKeyId] : []),
    ...(azure?.kind === "ServicePrincipal" ? [azure.clientSecret] : []),
  ];
  work.hide(secrets);
  const module = moduleAccess(work, git);
  return { settings, recipeConfig, lookup: secretLookup(loaded), credentials: { aws, azure }, module, secrets };
}

interface LoadedSecrets {
  readonly loaded: readonly (readonly [string, Readonly<Record<string, string>>])[];
  readonly git: readonly GitCredential[];
}

/** Reads each secret once, as it is now. */
async function loadSecrets(
  work: DriverWork,
  references: readonly SecretReference[],
  tokens: readonly GitToken[],
): Promise<LoadedSecrets> {
  const ids = new Map([...references, ...tokens].map(({ secretId }) => [secretId.toLowerCase(), secretId]));
  const loaded: (readonly [string, Readonly<Record<string, string>>])[] = [];
  try {
    for (const id of ids.values()) {
      loaded.push([id, (await work.readSecret(id)).values]);
    }
    const find = secretLookup(loaded);
    references.forEach((reference) => find(reference)); // a key that is missing is told before anything is written
    const values = new Map(loaded.map(([id, found]) => [id.toLowerCase(), found]));
    const git = tokens.map((token) => storedGitCredential(token, values.get(token.secretId.toLowerCase()) ?? {}));
    return { loaded, git };
  } catch (error) {
    if (error instanceof ApiError && error.transient) {
      throw error;
    }
    const message = error instanceof Error ? error.message : String(error);
    const text = `failed to fetch secrets for Terraform recipe ${work.definition.source} deployment: ${message}`;
    const advice = "Create it with 'rad secret set', and run 'rad deploy' again.";
    throw setupError("LoadSecretsFailed", `${inRecipe(work, text)} ${advice}`, { cause: error });
  }
}
