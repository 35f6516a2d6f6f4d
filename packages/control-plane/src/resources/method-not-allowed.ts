import { ApiError, type ResourceId } from "@rad/core";

export function methodNotAllowed(request: { readonly method: string; readonly id: ResourceId }): ApiError {
  return new ApiError("BadRequest", `${request.method} is not allowed on '${request.id.toString()}'.`, { status: 405 });
}
