import { ApiError } from "@rad/core";

/**
 * No cause is kept: the errors of the token library carry the token's claims, and would take them into the log.
 */
export function refused(message: string): ApiError {
  return new ApiError("InvalidAuthenticationInfo", message);
}
