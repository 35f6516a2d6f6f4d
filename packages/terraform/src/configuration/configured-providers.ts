import type { SecretReference } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core";
import { ConfigurationError } from "./configuration-error.ts";
import type { ProviderArguments } from "./provider-arguments.ts";
import type { SecretLookup } from "./secret-lookup.ts";
import type { ConfiguredProvider } from "./terraform-settings.ts";

/** The arguments of one entry of `recipeConfig.terraform.providers`. */
export function configuredArguments(provider: ConfiguredProvider, secrets: SecretLookup): ProviderArguments {
  const { secrets: _, ...plain } = provider;
  const values = Object.entries(providerSecrets(provider)).map(([argument, reference]) => [
    argument,
    secrets(reference),
  ]);
  return { plain, secrets: Object.fromEntries(values) };
}

/** The references of an entry by argument. */
export function providerSecrets(provider: ConfiguredProvider): Readonly<Record<string, SecretReference>> {
  const references = Object.entries(objectMember(provider, "secrets")).map(([argument, reference]) => {
    const { source, key } = isJsonObject(reference) ? reference : {};
    if (typeof source !== "string" || typeof key !== "string") {
      throw new ConfigurationError(
        "RecipeConfigurationFailure",
        `The secret '${argument}' of a provider in recipeConfig needs source, the id of a secret store, and key.`,
      );
    }
    return [argument, { secretId: source, key }] as const;
  });
  return Object.fromEntries(references);
}
