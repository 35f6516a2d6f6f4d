import { operationColumns, toOperation } from "../operations/operation-row.ts";
import type { OperationRow } from "../operations/operation-row.ts";
import type { LeasedOperation, QueueRule, TakeRequest } from "../store.ts";
import type { Database } from "./database.ts";

const hasNoLease = "ended_at IS NULL AND (lease_expires IS NULL OR lease_expires <= :now)";

/** @returns its `seq` */
export function oldestReady(database: Database, queues: readonly QueueRule[], now: number): number | undefined {
  let oldest: number | undefined;
  for (const queue of queues) {
    const row = database.getNamed<{ seq: number }>(oldestReadyInQueue, {
      queue: queue.name,
      now,
      concurrency: queue.concurrency ?? null,
      fifo: queue.fifo === true ? 1 : 0,
    });
    if (row !== undefined && (oldest === undefined || row.seq < oldest)) {
      oldest = row.seq;
    }
  }
  return oldest;
}

interface Times {
  readonly now: number;
  readonly wallNow: number;
}

export function leaseOperation(
  database: Database,
  seq: number,
  { owner, leaseMs }: TakeRequest,
  { now, wallNow }: Times,
): LeasedOperation | undefined {
  const row = database.get<OperationRow & { deadline_at: number }>(
    `UPDATE operations SET lease_owner = ?, lease_expires = ?, fence = fence + 1,
       attempt = iif(lease_owner IS NULL, attempt + 1, attempt),
       deaths = iif(lease_owner IS NULL OR lease_owner = ? OR attempt_started_at IS NULL, deaths,
         json_insert(deaths, '$[#]', attempt_started_at)),
       attempt_started_at = ?, state = 'Updating', started_at = coalesce(started_at, ?)
     WHERE seq = ? RETURNING ${operationColumns}, deadline_at`,
    [owner, now + leaseMs, owner, wallNow, wallNow, seq],
  );
  return (
    row && {
      operation: toOperation(row),
      lease: { operationId: row.id, owner, fence: row.fence },
      timeLeftMs: row.deadline_at - now,
    }
  );
}

/** What must be ended (cancelled, too late) is ready at once; the rest waits for its turn and a free slot. */
const oldestReadyInQueue = `
  SELECT seq FROM operations AS candidate
  WHERE queue = :queue AND parked IS NULL AND ${hasNoLease} AND (
    cancel_reason IS NOT NULL
    OR deadline_at <= :now
    OR (
      (:concurrency IS NULL OR :concurrency > (
        SELECT count(*) FROM operations
        WHERE queue = :queue AND ended_at IS NULL AND lease_expires > :now))
      AND (:fifo = 0 OR NOT EXISTS (
        SELECT 1 FROM operations
        WHERE queue = :queue AND seq < candidate.seq AND parked IS NULL AND ${hasNoLease}))
      AND (:fifo = 0 OR NOT EXISTS (
        SELECT 1 FROM operations
        WHERE queue = :queue AND seq < candidate.seq AND parked IS NOT NULL AND ended_at IS NULL))))
  ORDER BY seq LIMIT 1`;
