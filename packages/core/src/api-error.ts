import type { JsonValue } from "./json.ts";

/** Every code that an API answer or an operation can carry, with the HTTP status it usually travels under. */
export const statusByCode = {
  BadRequest: 400,
  InvalidApiVersionParameter: 400,
  HttpRequestPayloadAPISpecValidationFailed: 400,
  InvalidProperties: 400,
  InvalidRequestContent: 400,
  InvalidPlaneType: 400,
  InvalidTemplate: 400,
  InvalidDeployment: 400,
  InvalidContentLink: 400,
  InvalidTemplateDeployment: 400,
  RecipeNotFoundFailure: 400,
  DriverNotFoundFailure: 400,
  RecipeConfigurationFailure: 400,
  LoadSecretsFailed: 400,
  RecipeValidationFailed: 400,
  InvalidRecipeOutputs: 400,
  DeploymentSizeExceeded: 400,
  InvalidAuthenticationInfo: 401,
  Forbidden: 403,
  NotFound: 404,
  DeploymentNotFound: 404,
  RequestTimeout: 408,
  Conflict: 409,
  DeploymentActive: 409,
  PreconditionFailed: 412,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  RequestHeaderFieldsTooLarge: 431,
  OperationCanceled: 500,
  DeploymentCanceled: 500,
  DeploymentFailed: 500,
  DeploymentOutputEvaluationFailed: 500,
  ObjectNotReady: 500,
  TerraformInstallerFailed: 500,
  RecipeDownloadFailed: 500,
  RecipeDeploymentFailed: 500,
  RecipeDeletionFailed: 500,
  RecipeGetMetadataFailed: 500,
  Internal: 500,
  InsufficientStorage: 507,
  ServiceUnavailable: 503,
} as const;
export type ErrorCode = keyof typeof statusByCode;

/** The ARM error object: always `code` and `message`, in `details` too. */
export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly target?: string;
  readonly details?: readonly ErrorDetail[];
  readonly additionalInfo?: readonly ErrorInfo[];
}

export interface ErrorInfo {
  readonly type: string;
  readonly info: JsonValue;
}

export interface ApiErrorOptions {
  readonly status?: number;
  readonly target?: string;
  readonly details?: readonly ErrorDetail[];
  readonly additionalInfo?: readonly ErrorInfo[];
  /** The same may work later, so an operation is tried again. Not sent to clients. */
  readonly transient?: boolean;
  readonly cause?: unknown;
}

/** A failure the caller can read and act on. Anything else that is thrown is a bug, and leaves as a bare 500. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly target: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly additionalInfo: readonly ErrorInfo[];
  readonly transient: boolean;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? statusByCode[code];
    this.target = options.target;
    this.details = options.details ?? [];
    this.additionalInfo = options.additionalInfo ?? [];
    this.transient = options.transient ?? false;
  }

  /** Restores an error that was stored as a detail; codes that are not ours become `fallback`. */
  static fromDetail(detail: ErrorDetail, options: { readonly target: string; readonly fallback: ErrorCode }): ApiError {
    const { code, message, details = [], additionalInfo = [] } = detail;
    const known = Object.hasOwn(statusByCode, code) ? (code as ErrorCode) : options.fallback;
    return new ApiError(known, message, { target: options.target, details, additionalInfo });
  }

  toDetail(): ErrorDetail {
    return {
      code: this.code,
      message: this.message,
      ...(this.target === undefined ? {} : { target: this.target }),
      ...(this.details.length === 0 ? {} : { details: this.details }),
      ...(this.additionalInfo.length === 0 ? {} : { additionalInfo: this.additionalInfo }),
    };
  }
}
