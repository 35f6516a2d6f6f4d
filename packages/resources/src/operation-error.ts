import { ApiError } from "@rad/core";
import type { Operation } from "@rad/store";

/** The error that an operation on this resource ended with. */
export function operationError(id: string, { state, error }: Operation): ApiError {
  const detail = error ?? { code: "Internal", message: `The operation ended as ${state}.` };
  return ApiError.fromDetail(detail, { target: id, fallback: "Internal" });
}
