import type { JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
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
