import { ApiError, type ResourceId } from "@rad/core";

export function methodNotAllowed(method: string, id: ResourceId): ApiError {
  return new ApiError("BadRequest", `${method} is not allowed on '${id.toString()}'.`, { status: 405 });
}
