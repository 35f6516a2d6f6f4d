/** What can be wrong with a deployment before anything is changed. */
export const DeployingErrorCode = {
  InvalidTemplate: "InvalidTemplate",
  IntegerTooLarge: "IntegerTooLarge",
  InvalidScope: "InvalidScope",
  InvalidProviderConfig: "InvalidProviderConfig",
  InvalidDeploymentName: "InvalidDeploymentName",
  InvalidEnvironment: "InvalidEnvironment",
  EnvironmentNotFound: "EnvironmentNotFound",
  AmbiguousEnvironment: "AmbiguousEnvironment",
  NoEnvironment: "NoEnvironment",
  EnvironmentNotCreated: "EnvironmentNotCreated",
  InvalidApplicationName: "InvalidApplicationName",
  UnknownParameter: "UnknownParameter",
  InvalidParameterValue: "InvalidParameterValue",
  MissingParameters: "MissingParameters",
} as const;
export type DeployingErrorCode = (typeof DeployingErrorCode)[keyof typeof DeployingErrorCode];

export interface DeployingErrorOptions {
  readonly parameters?: readonly string[];
  readonly cause?: unknown;
}

/** Why a deployment cannot be sent as it was asked for. What the control plane itself refuses is a `ClientError`. */
export class DeployingError extends Error {
  override readonly name = "DeployingError";
  readonly code: DeployingErrorCode;
  /** The names of the parameters that it is about. */
  readonly parameters: readonly string[];

  constructor(code: DeployingErrorCode, message: string, options: DeployingErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.parameters = options.parameters ?? [];
  }
}
