import { ApiError, type ErrorDetail, type ResourceId } from "@rad/core";

export function methodNotAllowed(method: string, id: ResourceId, details: readonly ErrorDetail[] = []): ApiError {
  return new ApiError("BadRequest", `${method} is not allowed on '${id.toString()}'.`, { status: 405, details });
}
