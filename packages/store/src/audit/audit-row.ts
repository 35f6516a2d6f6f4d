import type { AuditRecord, StoredAuditRecord } from "../store.ts";

/** The columns that both databases return for an audit record. */
export interface AuditRow {
  /** PostgreSQL returns 64-bit numbers as text. */
  readonly sequence: number | string;
  readonly phase: string;
  /** Milliseconds in SQLite, a date in PostgreSQL. */
  readonly time: number | Date;
  readonly caller: string;
  readonly action: string;
  readonly target: string;
  readonly api_version: string;
  readonly correlation_id: string;
  readonly operation_id: string | null;
  readonly status: number | null;
  readonly result: string | null;
  readonly intent_id: string | null;
}

export function toAuditRecord(row: AuditRow): StoredAuditRecord {
  return {
    sequence: Number(row.sequence),
    phase: row.phase as AuditRecord["phase"],
    time: new Date(row.time),
    caller: row.caller,
    action: row.action,
    target: row.target,
    apiVersion: row.api_version,
    correlationId: row.correlation_id,
    operationId: row.operation_id ?? undefined,
    status: row.status ?? undefined,
    result: row.result ?? undefined,
    intentId: row.intent_id ?? undefined,
  };
}
