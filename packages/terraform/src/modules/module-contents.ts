import type { JsonValue } from "@rad/core";

/** What a Terraform module declares in the files of its own folder. Lists are in the order of their names. */
export interface ModuleContents {
  readonly variables: readonly ModuleVariable[];
  readonly outputs: readonly ModuleOutput[];
  /** By local name: what `required_providers` has, what `provider` blocks configure, and what resources imply. */
  readonly requiredProviders: Readonly<Record<string, RequiredProvider>>;
  /** Files that cannot be parsed, and declarations that Terraform will refuse; the rest of the module is read anyway. */
  readonly diagnostics: readonly ModuleDiagnostic[];
}

export interface ModuleVariable {
  readonly name: string;
  /** The type constraint as it is written, such as `map(string)`; absent where any type is accepted. */
  readonly type?: string;
  readonly description?: string;
  /** Absent for a variable that is required, and for a default that is not a literal. */
  readonly default?: JsonValue;
  readonly required: boolean;
  readonly sensitive: boolean;
  readonly position: SourcePosition;
}

export interface ModuleOutput {
  readonly name: string;
  readonly sensitive: boolean;
}

export interface RequiredProvider {
  readonly source?: string;
  /** Version constraints joined with `,`. */
  readonly version?: string;
  /** Configurations that the caller has to pass, such as `aws.east`. */
  readonly configurationAliases: readonly string[];
}

export interface SourcePosition {
  /** Relative to the folder of the module. */
  readonly file: string;
  readonly line: number;
}

export interface ModuleDiagnostic {
  readonly file: string;
  readonly message: string;
}
