import type { JsonObject, JsonValue } from "@rad/core";
import { asSecretReference, isJsonObject } from "@rad/core";
import { argumentName, isDataMap, isSecretArgument, variableOfArgument } from "@rad/core/terraform";
import { ConfigurationError } from "./configuration-error.ts";
import type { SecretLookup } from "./secret-lookup.ts";
import { mapMembers } from "./template-text.ts";
import type { BackendSettings } from "./terraform-settings.ts";

/** The arguments that are no references, in Terraform's spelling. */
export function plainArguments(settings: BackendSettings): JsonObject {
  const plain = Object.entries(settings.config ?? {}).filter(
    ([, value]) => value !== null && asSecretReference(value) === undefined,
  );
  return argumentsOf(settings, Object.fromEntries(plain));
}

function argumentsOf(settings: BackendSettings, members: JsonObject): JsonObject {
  return mapMembers(members, argumentName, (value, member) => {
    const argument = argumentName(member);
    if (isSecretArgument(settings.type, argument)) {
      throw unusable(settings, `${member} must be a reference to a secret, { secretId, key }`);
    }
    if (asSecretReference(value) !== undefined) {
      throw unusable(settings, `${member} cannot be a reference to a secret, as Terraform reads it from the file only`);
    }
    return isDataMap(argument) ? value : argumentValue(settings, value);
  });
}

function argumentValue(settings: BackendSettings, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map((item) => argumentValue(settings, item));
  }
  return isJsonObject(value) ? argumentsOf(settings, value) : value;
}

/** The values of references, by the environment variables that the backend reads. */
export function referredValues(settings: BackendSettings, secrets: SecretLookup): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [member, value] of Object.entries(settings.config ?? {})) {
    const reference = asSecretReference(value);
    if (reference === undefined) {
      continue;
    }
    const variable = variableOfArgument(settings.type, argumentName(member));
    if (variable === undefined) {
      throw unusable(settings, `${member} cannot be a reference to a secret, as Terraform reads it from the file only`);
    }
    env[variable] = secrets(reference);
  }
  return env;
}

export function unusable({ type }: BackendSettings, problem: string): ConfigurationError {
  return new ConfigurationError(
    "RecipeConfigurationFailure",
    `The backend '${type}' of the Terraform settings cannot be used: ${problem}.`,
  );
}
