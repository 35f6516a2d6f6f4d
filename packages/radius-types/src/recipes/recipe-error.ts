import { ApiError, type ApiErrorOptions, type ErrorCode } from "@rad/core";

/** `setupError`: nothing was created. `executionError`: something may have been. */
export type RecipeStatus = "success" | "setupError" | "executionError";

export interface RecipeErrorOptions extends ApiErrorOptions {
  readonly recipeStatus: Exclude<RecipeStatus, "success">;
  /** Ids of what exists after the failure; absent when nobody could look. */
  readonly resources?: readonly string[];
}

/** A recipe that could not be run, or failed. Ends the operation of its resource as `Failed`. */
export class RecipeError extends ApiError {
  readonly recipeStatus: RecipeErrorOptions["recipeStatus"];
  readonly resources: readonly string[] | undefined;

  constructor(code: ErrorCode, message: string, options: RecipeErrorOptions) {
    super(code, message, options);
    this.recipeStatus = options.recipeStatus;
    this.resources = options.resources;
  }
}

/** Of a failure before anything could be created. */
export function setupError(code: ErrorCode, message: string, options: ApiErrorOptions = {}): RecipeError {
  return new RecipeError(code, message, { ...options, recipeStatus: "setupError" });
}

export function executionError(
  code: ErrorCode,
  message: string,
  options: Omit<RecipeErrorOptions, "recipeStatus"> = {},
): RecipeError {
  return new RecipeError(code, message, { ...options, recipeStatus: "executionError" });
}
