import { ApiError } from "@rad/core";

export function invalidLink(path: string, message: string, cause?: unknown): ApiError {
  return new ApiError("InvalidContentLink", message, { target: path, ...(cause === undefined ? {} : { cause }) });
}
