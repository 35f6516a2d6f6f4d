import type { ResourceId } from "@rad/core";
import type { NewOperation } from "@rad/store";
import { randomUUID } from "node:crypto";
import type { ResourceRequest } from "../resource-request.ts";
import type { ServedType } from "../types/served-type.ts";

export interface OperationParts {
  readonly id: ResourceId;
  readonly kind: string;
  readonly timeoutMs: number;
  readonly awaitedBy?: string | undefined;
}

/** The operation that carries out what a request asks for. */
export function newOperation(
  request: ResourceRequest,
  { policy }: Pick<ServedType, "policy">,
  { id, kind, timeoutMs, awaitedBy }: OperationParts,
): NewOperation {
  return {
    id: randomUUID(),
    resourceId: id.toString(),
    kind,
    apiVersion: request.apiVersion ?? "",
    queue: policy.queue,
    timeoutMs,
    caller: request.caller.subject,
    identity: { kind: request.caller.kind, subject: request.caller.subject, groups: [...request.caller.groups] },
    correlationId: request.correlationId,
    traceparent: request.traceparent,
    awaitedBy,
  };
}
