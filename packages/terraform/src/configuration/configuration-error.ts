/** The recipe error codes that a configuration can fail with; all of them before Terraform has started. */
export type ConfigurationErrorCode =
  | "LoadSecretsFailed" // a secret or a key that the configuration refers to was not loaded
  | "RecipeConfigurationFailure" // settings, scopes or credentials that cannot be used
  | "RecipeValidationFailed"; // parameters that the module does not take

/** A configuration that cannot be given to Terraform. Messages name members and ids, never values that may be secret. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly code: ConfigurationErrorCode;

  constructor(code: ConfigurationErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
