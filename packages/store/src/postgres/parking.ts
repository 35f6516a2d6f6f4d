import { refuseCycle } from "../operations/wait-cycle.ts";
import type { WaitEdge } from "../operations/wait-cycle.ts";
import type { StoreEvent } from "../store.ts";
import type { Sql } from "./database.ts";

/** Any number; it only has to be ours alone in this database. */
const parkingLock = 7_236_002;

/**
 * Those who begin to wait do it one after the other, so that of two that begin to wait for each other the second sees
 * the first. Taken before any row is locked; those who end operations do not need it.
 */
export async function serializeWaits(sql: Sql): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(${parkingLock})`);
}

/**
 * Those of `ids` that exist and have not ended. They cannot end before this transaction does, so whoever ends one
 * afterwards sees the waits that were added here.
 */
export async function lockRunning(sql: Sql, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await sql.query<{ id: string }>(
    "SELECT id FROM operations WHERE id = ANY ($1::text[]) AND ended_at IS NULL ORDER BY id FOR SHARE",
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** @throws StoreError `WaitCycle` */
export async function addWaits(sql: Sql, operationId: string, awaited: readonly string[]): Promise<void> {
  refuseCycle(operationId, awaited, await sql.query<WaitEdge>(edgesFrom, [awaited]));
  await sql.query("INSERT INTO operation_waits (awaited, waiting) SELECT unnest($1::text[]), $2", [
    awaited,
    operationId,
  ]);
}

/** The operations wait for nothing any more. */
export async function forgetWaits(sql: Sql, operationIds: readonly string[]): Promise<void> {
  await sql.query("DELETE FROM operation_waits WHERE waiting = ANY ($1::text[])", [operationIds]);
}

/**
 * An operation has ended: makes ready what waited for nothing else. Its row is locked by now. Rows of operations are
 * locked before their waits, here as everywhere, so that two ends that free the same operation see each other.
 * @returns what to announce
 */
export async function wakeWaiting(sql: Sql, operationId: string): Promise<readonly StoreEvent[]> {
  await sql.query(
    `SELECT 1 FROM operations WHERE id IN (SELECT waiting FROM operation_waits WHERE awaited = $1)
     ORDER BY id FOR UPDATE`,
    [operationId],
  );
  const freed = await sql.query<{ waiting: string }>(
    "DELETE FROM operation_waits WHERE awaited = $1 RETURNING waiting",
    [operationId],
  );
  const rows = await sql.query<{ queue: string; count: number }>(
    `WITH woken AS (
       UPDATE operations SET parked = NULL
       WHERE id = ANY ($1::text[]) AND NOT EXISTS (SELECT 1 FROM operation_waits WHERE waiting = operations.id)
       RETURNING queue)
     SELECT queue, count(*)::integer AS count FROM woken GROUP BY queue`,
    [freed.map(({ waiting }) => waiting)],
  );
  return rows.map(({ queue, count }) => ({ kind: "work", queue, count }));
}

/** In a statement: the time of something parked has come. Its own time does not move, so that the index can be used. */
export const isDue = `queue = ANY ($1::text[]) AND ended_at IS NULL AND parked IS NOT NULL
  AND run_after <= statement_timestamp()`;

/** Whoever else is about to do the same is left to it. */
export async function unparkDue(sql: Sql, queues: readonly string[]): Promise<void> {
  const rows = await sql.query<{ id: string }>(
    `UPDATE operations SET parked = NULL
     WHERE seq IN (SELECT seq FROM operations WHERE ${isDue} FOR UPDATE SKIP LOCKED) RETURNING id`,
    [queues],
  );
  await forgetWaits(
    sql,
    rows.map(({ id }) => id),
  );
}

/** Each edge that can be reached from some operations, once. */
const edgesFrom = `
  WITH RECURSIVE reached (source, target) AS (
    SELECT '', unnest($1::text[])
    UNION SELECT reached.target, next.id FROM reached CROSS JOIN LATERAL (
      SELECT awaited AS id FROM operation_waits WHERE waiting = reached.target
      UNION ALL SELECT id FROM operations WHERE awaited_by = reached.target AND ended_at IS NULL) AS next)
  SELECT source, target FROM reached WHERE source <> ''`;
