import type { ErrorDetail, JsonObject, JsonValue } from "@rad/core";
import type { Operation, OperationState, OperationStep } from "../store.ts";

/** A point in time as the database returns it: milliseconds in SQLite, a date in PostgreSQL. */
type Time = number | Date;

/** The columns that both databases return for an operation. */
export interface OperationRow {
  readonly id: string;
  readonly resource_id: string;
  readonly kind: string;
  readonly api_version: string;
  readonly queue: string;
  readonly caller: string;
  readonly correlation_id: string;
  readonly traceparent: string | null;
  readonly input: string | null;
  readonly identity: string | null;
  readonly awaited_by: string | null;
  readonly state: string;
  readonly attempt: number;
  readonly steps: string;
  readonly error: string | null;
  readonly cancel_reason: string | null;
  readonly created_at: Time;
  readonly started_at: Time | null;
  readonly ended_at: Time | null;
  readonly fence: number;
  /** JSON: milliseconds in SQLite, ISO 8601 in PostgreSQL. */
  readonly deaths: string;
}

export const operationColumns =
  "id, resource_id, kind, api_version, queue, caller, correlation_id, traceparent, input, identity, " +
  "awaited_by, state, attempt, steps, error, cancel_reason, created_at, started_at, ended_at, fence, deaths";

export function toOperation(row: OperationRow): Operation {
  return {
    id: row.id,
    resourceId: row.resource_id,
    kind: row.kind,
    apiVersion: row.api_version,
    queue: row.queue,
    caller: row.caller,
    correlationId: row.correlation_id,
    traceparent: row.traceparent ?? undefined,
    input: row.input === null ? undefined : (JSON.parse(row.input) as JsonValue),
    identity: row.identity === null ? undefined : (JSON.parse(row.identity) as JsonObject),
    awaitedBy: row.awaited_by ?? undefined,
    state: row.state as OperationState,
    attempt: row.attempt,
    steps: JSON.parse(row.steps) as OperationStep[],
    error: row.error === null ? undefined : (JSON.parse(row.error) as ErrorDetail),
    cancelReason: row.cancel_reason ?? undefined,
    createdAt: new Date(row.created_at),
    startedAt: row.started_at === null ? undefined : new Date(row.started_at),
    endedAt: row.ended_at === null ? undefined : new Date(row.ended_at),
    deaths: (JSON.parse(row.deaths) as (string | number)[]).map((startedAt) => new Date(startedAt)),
  };
}

/** How an operation ends whose place another request took. */
export const supersededError: ErrorDetail = {
  code: "OperationCanceled",
  message: "The operation was canceled because a later request took its place.",
};
