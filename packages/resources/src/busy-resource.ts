import { ApiError, type ErrorInfo } from "@rad/core";
import { StoreError } from "@rad/store";

const type = "OperationInProgress";

/** Marks the refusal of a change that comes while another operation works on the resource. */
export function operationInProgress(operationId: string): ErrorInfo {
  return { type, info: { operationId } };
}

/** Whether a change was refused because of a concurrent one, so that a retry will work. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== "Conflict") {
    return false;
  }
  const wasFaster = error.cause instanceof StoreError && error.cause.code === "EtagMismatch";
  return wasFaster || error.additionalInfo.some((info) => info.type === type);
}
