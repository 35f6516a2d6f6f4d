import { refuseCycle } from "../operations/wait-cycle.ts";
import type { WaitEdge } from "../operations/wait-cycle.ts";
import type { StoreEvent } from "../store.ts";
import type { Database } from "./database.ts";

/** Those of `ids` that exist and have not ended. */
export function stillRunning(database: Database, ids: readonly string[]): readonly string[] {
  const rows = database.all<{ id: string }>(
    "SELECT id FROM operations WHERE id IN (SELECT value FROM json_each(?)) AND ended_at IS NULL",
    [JSON.stringify(ids)],
  );
  return rows.map(({ id }) => id);
}

/** @throws StoreError `WaitCycle` */
export function addWaits(database: Database, operationId: string, awaited: readonly string[]): void {
  const edges = database.all<WaitEdge>(edgesFrom, [JSON.stringify(awaited)]);
  refuseCycle(operationId, awaited, edges);
  for (const id of awaited) {
    database.run("INSERT INTO operation_waits (awaited, waiting) VALUES (?, ?)", [id, operationId]);
  }
}

/** The operation waits for nothing any more. */
export function forgetWaits(database: Database, operationId: string): void {
  database.run("DELETE FROM operation_waits WHERE waiting = ?", [operationId]);
}

/** An operation has ended: makes ready what waited for nothing else. @returns what to announce */
export function wakeWaiting(database: Database, operationId: string): readonly StoreEvent[] {
  const freed = database.all<{ waiting: string }>("DELETE FROM operation_waits WHERE awaited = ? RETURNING waiting", [
    operationId,
  ]);
  const counts = new Map<string, number>();
  for (const { waiting } of freed) {
    const row = database.get<{ queue: string }>(
      `UPDATE operations SET parked = NULL
       WHERE id = ? AND NOT EXISTS (SELECT 1 FROM operation_waits WHERE waiting = operations.id) RETURNING queue`,
      [waiting],
    );
    if (row !== undefined) {
      counts.set(row.queue, (counts.get(row.queue) ?? 0) + 1);
    }
  }
  return [...counts].map(([queue, count]) => ({ kind: "work", queue, count }));
}

const due = "queue = ? AND ended_at IS NULL AND parked IS NOT NULL AND run_after <= ?";

/** Whether the time of something parked in the queue has come. */
export function isDue(database: Database, queue: string, now: number): boolean {
  return database.get(`SELECT 1 FROM operations WHERE ${due} LIMIT 1`, [queue, now]) !== undefined;
}

export function unparkDue(database: Database, queue: string, now: number): void {
  const rows = database.all<{ id: string }>(`UPDATE operations SET parked = NULL WHERE ${due} RETURNING id`, [
    queue,
    now,
  ]);
  rows.forEach(({ id }) => forgetWaits(database, id));
}

/** Each edge that can be reached from some operations, once. */
const edgesFrom = `
  WITH RECURSIVE reached (source, target) AS (
    SELECT '', value FROM json_each(?)
    UNION SELECT waiting, awaited FROM operation_waits JOIN reached ON waiting = target
    UNION SELECT awaited_by, id FROM operations JOIN reached ON awaited_by = target WHERE ended_at IS NULL)
  SELECT source, target FROM reached WHERE source <> ''`;
