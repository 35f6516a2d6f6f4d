import {
  ApiError,
  copyMembers,
  isProvisioningState,
  isTerminal,
  type JsonObject,
  objectMember,
  type Sliced,
} from "@rad/core";
import { operationInProgress } from "./busy-resource.ts";
import type { StoredDocument } from "@rad/store";

export function* withState(body: JsonObject, provisioningState: string): Sliced<JsonObject> {
  const properties = yield* copyMembers(objectMember(body, "properties"));
  properties["provisioningState"] = provisioningState;
  return { ...body, properties };
}

/** @throws ApiError `Conflict` with the operation's id while one is at work. */
export function requireIdle(current: StoredDocument | undefined): void {
  if (current === undefined) {
    return;
  }
  const state = objectMember(current.body, "properties")["provisioningState"];
  if (typeof state === "string" && isProvisioningState(state) && !isTerminal(state)) {
    const { operationId } = current;
    const operation = operationId === undefined ? "" : ` by operation ${operationId}`;
    throw new ApiError("Conflict", `The resource is being changed${operation} (${state}); wait until that ends.`, {
      target: current.id,
      additionalInfo: operationId === undefined ? [] : [operationInProgress(operationId)],
    });
  }
}
