import type { JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
import { ResourceId } from "@rad/core/resource-id";
import { ClientError, errorFromWire } from "./client-error.ts";
import { parseSteps } from "./operation-steps.ts";
import type { OperationState, OperationStatus } from "./wire-types.ts";

export function parseOperationStatus(body: JsonValue | undefined): OperationStatus {
  if (!isJsonObject(body) || typeof body["status"] !== "string") {
    throw new ClientError("UnexpectedResponse", "The control plane sent an operation status without a status.");
  }
  const error = errorFromWire(body["error"]);
  return {
    id: typeof body["id"] === "string" ? body["id"] : "",
    state: stateOf(body["status"]),
    status: body["status"],
    steps: parseSteps(objectMember(body, "properties")["steps"]),
    body,
    ...(error === undefined
      ? {}
      : { error: { code: error.code, message: error.message, ...(error.target ? { target: error.target } : {}) } }),
  };
}

/** Operations of a plane are found by the namespace of their resource; those of groups belong to the system. */
export function operationPath(resourceId: string, operationId: string): string {
  const id = ResourceId.tryParse(resourceId);
  if (id === undefined) {
    throw new ClientError("InvalidPath", `"${resourceId}" is not the id of a resource.`);
  }
  const provider = id.namespace === "" ? "System.Resources" : id.namespace;
  return `${id.planeScope}/providers/${provider}/locations/global/operationStatuses/${operationId}`;
}

function stateOf(word: string): OperationState {
  switch (word.toLowerCase()) {
    case "succeeded":
      return "Succeeded";
    case "failed":
      return "Failed";
    case "canceled":
      return "Canceled";
    default:
      return "Running";
  }
}
