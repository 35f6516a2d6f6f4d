import { type Clock, ResourceId } from "@rad/core";
import type { AuditRecord, Operation } from "@rad/store";
import type { ApiRequest } from "../http/api-request.ts";

/** The record that goes into the transaction which accepts a change. */
export function intent(request: ApiRequest, action: string, target: string, clock: Clock): AuditRecord {
  return {
    phase: "intent",
    time: clock.now(),
    caller: request.caller.subject,
    action,
    target,
    apiVersion: request.apiVersion ?? "",
    correlationId: request.correlationId,
  };
}

/** A synchronous change is done when its transaction is, so its outcome travels with the intent. */
export function synchronousOutcome(record: AuditRecord, status: number): AuditRecord {
  return { ...record, phase: "outcome", status, result: "Succeeded" };
}

export function operationOutcome(operation: Operation, result: string, clock: Clock): AuditRecord {
  const action = `${ResourceId.parse(operation.resourceId).type}/${operation.kind === "delete" ? "delete" : "write"}`;
  return {
    phase: "outcome",
    time: clock.now(),
    caller: operation.caller,
    action,
    target: operation.resourceId,
    apiVersion: operation.apiVersion,
    correlationId: operation.correlationId,
    operationId: operation.id,
    result,
  };
}
