import { type Clock, ResourceId } from "@rad/core";
import type { AuditRecord, Operation } from "@rad/store";
import { randomUUID } from "node:crypto";
import type { ResourceRequest } from "./resource-request.ts";

/** Who asks, and in which words. */
type Asked = Pick<ResourceRequest, "caller" | "correlationId" | "apiVersion">;

/** Who creates what an installation starts with. No token or person has this name: theirs have a prefix. */
export const systemCaller = "system";

/** The record that goes into the transaction which accepts a change. */
export function intent(request: Asked, action: string, target: string, clock: Clock): AuditRecord {
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

export interface SystemChange {
  readonly type: string;
  readonly target: string;
  readonly apiVersion: string;
  readonly clock: Clock;
}

/** The two records of a change that the server makes by itself, at its start. */
export function systemRecords({ type, target, apiVersion, clock }: SystemChange): readonly AuditRecord[] {
  const record: AuditRecord = {
    phase: "intent",
    time: clock.now(),
    caller: systemCaller,
    action: `${type}/write`,
    target,
    apiVersion,
    correlationId: randomUUID(),
  };
  return [record, { ...record, phase: "outcome", result: "Succeeded" }];
}
