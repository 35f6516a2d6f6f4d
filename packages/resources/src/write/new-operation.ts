import type { JsonObject, ResourceId } from "@rad/core";
import type { NewOperation } from "@rad/store";
import { randomUUID } from "node:crypto";
import { callerToJson } from "../caller.ts";
import type { ResourceRequest } from "../resource-request.ts";
import type { ServedType } from "../types/served-type.ts";

export interface OperationParts {
  readonly id: ResourceId;
  readonly kind: string;
  readonly timeoutMs: number;
  /** The operation that will wait for this one without being parked. */
  readonly awaitedBy?: string | undefined;
  readonly input?: JsonObject;
}

/** The operation that carries out what a request asks for. */
export function newOperation(
  request: Pick<ResourceRequest, "caller" | "correlationId" | "apiVersion" | "traceparent">,
  { policy }: Pick<ServedType, "policy">,
  { id, kind, timeoutMs, awaitedBy, input }: OperationParts,
): NewOperation {
  return {
    id: randomUUID(),
    resourceId: id.toString(),
    kind,
    apiVersion: request.apiVersion ?? "",
    queue: policy.queue,
    timeoutMs,
    caller: request.caller.subject,
    identity: callerToJson(request.caller),
    correlationId: request.correlationId,
    traceparent: request.traceparent,
    awaitedBy,
    ...(input === undefined ? {} : { input }),
  };
}
