import type { JsonObject, SecretReference } from "@rad/core";

/** The properties of `Radius.Core/terraformSettings`, as they are stored. */
export interface TerraformSettings {
  readonly terraformrc?: TerraformrcSettings;
  readonly authentication?: GitAuthentication;
  readonly backend?: BackendSettings;
  readonly env?: Readonly<Record<string, string>>;
  readonly logging?: { readonly level?: string };
}

/** Secrets with tokens for modules from private Git repositories, by `host` or `host:port`. */
export interface GitAuthentication {
  readonly git?: { readonly pat?: Readonly<Record<string, { readonly secret?: string }>> };
}

export interface TerraformrcSettings {
  readonly providerInstallation?: ProviderInstallation;
  readonly credentials?: Readonly<Record<string, HostCredentials>>;
}

export interface ProviderInstallation {
  readonly networkMirror?: NetworkMirror;
  readonly direct?: ProviderSelection;
}

export interface ProviderSelection {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

export interface NetworkMirror extends ProviderSelection {
  readonly url: string;
}

/** `secret` is upstream's spelling; the key is `token` then. */
export type HostCredentials = { readonly token: SecretReference } | { readonly secret: string };

export interface BackendSettings {
  readonly type: string;
  /** Arguments in camel case; a secret is a reference. */
  readonly config?: JsonObject;
}

/** What Terraform reads of `recipeConfig`, the configuration of environments without settings. */
export interface RecipeConfig {
  readonly terraform?: { readonly providers?: ConfiguredProviders; readonly authentication?: GitAuthentication };
  readonly env?: Readonly<Record<string, string>>;
  readonly envSecrets?: Readonly<Record<string, StoreReference>>;
}

/** By local name; each item is one provider block. */
export type ConfiguredProviders = Readonly<Record<string, readonly ConfiguredProvider[]>>;

/** The arguments of a block, with `alias` and `secrets` (argument to reference) among them. */
export type ConfiguredProvider = JsonObject;

/** A value of a secret as `recipeConfig` refers to it. */
export interface StoreReference {
  readonly source: string;
  readonly key: string;
}
