import type { SecretReference } from "@rad/core";
import { secretReferencesIn } from "@rad/core";
import { tokenReference } from "./token-variables.ts";
import type { RecipeConfig, TerraformSettings } from "./terraform-settings.ts";
import { providerSecrets } from "./configured-providers.ts";

/** Every reference that settings make, so that the values can be loaded before a configuration is built. */
export function settingsSecrets({ terraformrc, backend }: TerraformSettings): SecretReference[] {
  const tokens = Object.values(terraformrc?.credentials ?? {}).map(tokenReference);
  return [...tokens, ...secretReferencesIn(backend?.config ?? {})];
}

/** Every reference that a `recipeConfig` makes for Terraform. */
export function recipeConfigSecrets({ terraform, envSecrets }: RecipeConfig): SecretReference[] {
  const variables = Object.values(envSecrets ?? {}).map(({ source, key }) => ({ secretId: source, key }));
  const providers = Object.values(terraform?.providers ?? {}).flat();
  return [...variables, ...providers.flatMap((provider) => Object.values(providerSecrets(provider)))];
}
