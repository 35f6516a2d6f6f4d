import type { SecretReference } from "@rad/core";
import { ConfigurationError } from "./configuration-error.ts";

/**
 * Values of secrets, loaded before a configuration is built.
 *
 * @throws ConfigurationError `LoadSecretsFailed` for a reference that was not loaded.
 */
export type SecretLookup = (reference: SecretReference) => string;

/** Looks up values by secret, whose ids are compared without case, and by key. */
export function secretLookup(
  secrets: Iterable<readonly [secretId: string, values: Readonly<Record<string, string>>]>,
): SecretLookup {
  const bySecret = new Map([...secrets].map(([id, values]) => [id.toLowerCase(), values]));
  return ({ secretId, key }) => {
    const values = bySecret.get(secretId.toLowerCase());
    if (values === undefined) {
      throw new ConfigurationError("LoadSecretsFailed", `secrets not found for secret store ID "${secretId}"`);
    }
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined) {
      throw new ConfigurationError(
        "LoadSecretsFailed",
        `'${key}' secret key was not found in secret store '${secretId}'`,
      );
    }
    return value;
  };
}
