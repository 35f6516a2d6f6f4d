/** What a configuration needs to know of the module that it calls, as inspecting the module tells. */
export interface ModuleInterface {
  readonly variables: readonly { readonly name: string; readonly required: boolean }[];
  readonly outputs: readonly { readonly name: string; readonly sensitive: boolean }[];
  readonly requiredProviders: RequiredProviders;
}

/** By local name. */
export type RequiredProviders = Readonly<Record<string, RequiredProvider>>;

export interface RequiredProvider {
  readonly source?: string;
  readonly version?: string;
  /** Configurations that the caller passes, such as `aws.east`. */
  readonly configurationAliases: readonly string[];
}
