import { operationColumns, toOperation } from "../operations/operation-row.ts";
import type { OperationRow } from "../operations/operation-row.ts";
import type { LeasedOperation, QueueRule, TakeRequest } from "../store.ts";
import { fromNow } from "./database-time.ts";
import type { Sql } from "./database.ts";
import { isDue } from "./parking.ts";
import type { Transactions } from "./transactions.ts";

const hasNoLease = "ended_at IS NULL AND (lease_expires IS NULL OR lease_expires <= clock_timestamp())";

/** Queues that are looked at together: all those without rules of their own, or one that has some. */
interface QueueGroup {
  readonly names: readonly string[];
  readonly concurrency: number | null;
  readonly fifo: boolean;
}

interface ReadyGroup {
  readonly group: QueueGroup;
  readonly seq: bigint | undefined;
  /** Something parked has to be made ready first. */
  readonly isDue: boolean;
}

/** Groups with something ready, the one with the oldest operation first. */
export async function readyGroups(sql: Sql, queues: readonly QueueRule[]): Promise<readonly ReadyGroup[]> {
  const found: ReadyGroup[] = [];
  for (const group of groupsOf(queues)) {
    const [row] = await sql.query<{ seq: string | null; due: boolean }>(
      `SELECT (${oldestReady}) AS seq, EXISTS (SELECT 1 FROM operations WHERE ${isDue}) AS due`,
      [group.names, group.concurrency, group.fifo],
    );
    if (row !== undefined && (row.seq !== null || row.due)) {
      found.push({ group, seq: row.seq === null ? undefined : BigInt(row.seq), isDue: row.due });
    }
  }
  // What is due was accepted long ago, so it is looked at first.
  return found.sort((a, b) => ((a.seq ?? 0n) < (b.seq ?? 0n) ? -1 : 1));
}

export async function leaseFrom(
  sql: Sql,
  transactions: Transactions,
  group: QueueGroup,
  request: TakeRequest,
): Promise<LeasedOperation | undefined> {
  if (!isRuled(group)) {
    return await leaseOldest(sql, group, request);
  }
  return await transactions.run(async (locked) => {
    // Counting what runs and leasing one more must not happen in two processes at once.
    await locked.query("INSERT INTO queues (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING", [group.names]);
    await locked.query("SELECT 1 FROM queues WHERE name = ANY ($1::text[]) FOR UPDATE", [group.names]);
    return await leaseOldest(locked, group, request);
  });
}

function groupsOf(queues: readonly QueueRule[]): readonly QueueGroup[] {
  const groups = queues.map((queue) => ({
    names: [queue.name],
    concurrency: queue.concurrency ?? null,
    fifo: queue.fifo === true,
  }));
  const free = groups.filter((group) => !isRuled(group)).flatMap((group) => group.names);
  const ruled = groups.filter(isRuled);
  return free.length === 0 ? ruled : [{ names: free, concurrency: null, fifo: false }, ...ruled];
}

function isRuled(group: QueueGroup): boolean {
  return group.concurrency !== null || group.fifo;
}

/** What must be ended (cancelled, too late) is ready at once; the rest waits for its turn and a free slot. */
const oldestReady = `
  SELECT seq FROM operations AS candidate
  WHERE queue = ANY ($1::text[]) AND parked IS NULL AND ${hasNoLease} AND (
    cancel_reason IS NOT NULL
    OR deadline_at <= clock_timestamp()
    OR (
      ($2::integer IS NULL OR $2::integer > (
        SELECT count(*) FROM operations
        WHERE queue = ANY ($1::text[]) AND ended_at IS NULL AND lease_expires > clock_timestamp()))
      AND (NOT $3::boolean OR NOT EXISTS (
        SELECT 1 FROM operations
        WHERE queue = ANY ($1::text[]) AND seq < candidate.seq AND parked IS NULL AND ${hasNoLease}))
      AND (NOT $3::boolean OR NOT EXISTS (
        SELECT 1 FROM operations
        WHERE queue = ANY ($1::text[]) AND seq < candidate.seq AND parked IS NOT NULL AND ended_at IS NULL))))
  ORDER BY seq LIMIT 1`;

async function leaseOldest(
  sql: Sql,
  group: QueueGroup,
  { owner, leaseMs }: TakeRequest,
): Promise<LeasedOperation | undefined> {
  const [row] = await sql.query<OperationRow & { time_left: number }>(
    `UPDATE operations SET lease_owner = $4, lease_expires = ${fromNow(5)}, fence = fence + 1,
       attempt = CASE WHEN lease_owner IS NULL THEN attempt + 1 ELSE attempt END,
       deaths = CASE WHEN lease_owner IS NULL OR lease_owner = $4 OR attempt_started_at IS NULL THEN deaths
         ELSE (deaths::jsonb || to_jsonb(attempt_started_at))::text END,
       attempt_started_at = clock_timestamp(), state = 'Updating', started_at = coalesce(started_at, clock_timestamp())
     WHERE seq = (${oldestReady} FOR UPDATE OF candidate SKIP LOCKED)
     RETURNING ${operationColumns}, extract(epoch FROM deadline_at - clock_timestamp())::float8 * 1000 AS time_left`,
    [group.names, group.concurrency, group.fifo, owner, leaseMs],
  );
  return (
    row && {
      operation: toOperation(row),
      lease: { operationId: row.id, owner, fence: row.fence },
      timeLeftMs: row.time_left,
    }
  );
}
