import type { JsonObject } from "@rad/core";
import type { CloudCredentials } from "./cloud-credentials.ts";
import { awsArguments, azurermArguments, kubernetesArguments } from "./cloud-providers.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { clusterVariables } from "./cluster-access.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { configuredArguments } from "./configured-providers.ts";
import type { RequiredProvider, RequiredProviders } from "./module-interface.ts";
import type { ProviderArguments } from "./provider-arguments.ts";
import { blockOf } from "./provider-arguments.ts";
import type { SecretLookup } from "./secret-lookup.ts";
import type { SecretVariables } from "./secret-variables.ts";
import type { ConfiguredProviders } from "./terraform-settings.ts";

/** What providers are configured with. */
export interface ProviderSettings {
  /** Scopes of the environment, such as `/subscriptions/…` and `/planes/aws/aws/accounts/…/regions/…`. */
  readonly azureScope?: string | undefined;
  readonly awsScope?: string | undefined;
  readonly credentials?: CloudCredentials;
  readonly cluster?: ClusterAccess | undefined;
  /** What `recipeConfig` says; it replaces everything else for the providers that it names. */
  readonly configured?: ConfiguredProviders | undefined;
  /** Names the sessions of a role that is assumed, in the cloud's own log. */
  readonly session: string;
}

export interface ProviderBlocks {
  /** Blocks by local name. */
  readonly blocks: Readonly<Record<string, JsonObject[]>>;
  /** The configurations that the module gets under its own aliases. */
  readonly passed: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

/** The providers that a module requires, configured for an environment. Secrets become variables. */
export function providerBlocks(
  required: RequiredProviders,
  settings: ProviderSettings,
  secrets: SecretLookup,
  variables: SecretVariables,
): ProviderBlocks {
  const blocks: Record<string, JsonObject[]> = {};
  for (const [name, providers] of Object.entries(settings.configured ?? {})) {
    blocks[name] = providers.map((provider) => blockOf(name, configuredArguments(provider, secrets), variables));
  }
  for (const [name, provider] of Object.entries(required)) {
    const known = Object.hasOwn(blocks, name) ? undefined : knownArguments(typeOf(name, provider), settings);
    const block = known === undefined ? {} : blockOf(name, known, variables);
    if (Object.keys(block).length > 0) {
      blocks[name] = [block];
    }
  }
  const usesCluster = Object.entries(required).some(([name, provider]) => typeOf(name, provider) === "kubernetes");
  return {
    blocks,
    passed: passedAliases(required, blocks),
    env: usesCluster && settings.cluster !== undefined ? clusterVariables(settings.cluster) : {},
  };
}

function knownArguments(type: string, settings: ProviderSettings): ProviderArguments | undefined {
  const { azureScope, awsScope, credentials, cluster, session } = settings;
  switch (type) {
    case "azurerm":
      return azurermArguments(azureScope, credentials?.azure);
    case "aws":
      return awsArguments(awsScope, credentials?.aws, session);
    case "kubernetes":
      return kubernetesArguments(cluster);
    default:
      return undefined;
  }
}

/** A module may give a provider a local name of its own. */
function typeOf(name: string, { source }: RequiredProvider): string {
  return source?.split("/").at(-1)?.toLowerCase() ?? name;
}

function passedAliases(
  required: RequiredProviders,
  blocks: Readonly<Record<string, readonly JsonObject[]>>,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, { configurationAliases }] of Object.entries(required)) {
    const configured = (Object.hasOwn(blocks, name) ? blocks[name] : undefined) ?? [];
    for (const alias of configurationAliases) {
      if (!configured.some((block) => block["alias"] === alias.slice(name.length + 1))) {
        throw new ConfigurationError(
          "RecipeConfigurationFailure",
          `The module needs the provider configuration '${alias}', and the environment has none. ` +
            `Add one with that alias to recipeConfig.terraform.providers.${name} of the environment.`,
        );
      }
      passed[alias] = alias;
    }
  }
  return passed;
}
