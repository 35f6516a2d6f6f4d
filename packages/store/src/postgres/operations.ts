import type { ErrorDetail } from "@rad/core";
import { toKey } from "../documents/keys.ts";
import { leaseLost } from "../operations/leases.ts";
import { boundedMs } from "../operations/parking.ts";
import type { Parked } from "../operations/parking.ts";
import { operationColumns, supersededError, toOperation } from "../operations/operation-row.ts";
import type { OperationRow } from "../operations/operation-row.ts";
import type {
  AuditRecord,
  CancelRequest,
  Lease,
  LeasedOperation,
  NewOperation,
  Operation,
  OperationOutcome,
  OperationStep,
  OperationStore,
  Park,
  QueueDepth,
  TakeRequest,
} from "../store.ts";
import type { PostgresAudit } from "./audit.ts";
import type { Sql } from "./database.ts";
import { fromNow } from "./database-time.ts";
import { addWaits, forgetWaits, unparkDue, wakeWaiting } from "./parking.ts";
import { leaseFrom, readyGroups } from "./ready-operations.ts";
import type { Announce, Transactions } from "./transactions.ts";

const holdsLease =
  "id = $1 AND lease_owner = $2 AND fence = $3 AND lease_expires > clock_timestamp() AND ended_at IS NULL";
const putBack = "lease_owner = NULL, lease_expires = NULL, fence = fence + 1, deaths = '[]'";
const gotFurther = "deaths = '[]', attempt_started_at = NULL";
const cancelNow = "cancel_reason = coalesce(cancel_reason, $1), parked = NULL";
const endNow = `${putBack}, parked = NULL, ended_at = clock_timestamp()`;

type CancelledRow = { readonly id: string; readonly queue: string };

/**
 * The states are those of `SqliteOperations`; time is the database's own, so that the clocks of the processes need not
 * agree. Workers skip rows that others have locked; a queue with a limit or an order is taken from by one at a time.
 */
export class PostgresOperations implements OperationStore {
  readonly #sql: Sql;
  readonly #transactions: Transactions;
  readonly #audit: PostgresAudit;
  readonly #queuesTaken = new Set<string>();
  /** Leases under which something new was stored. */
  readonly #further = new WeakSet<Lease>();

  constructor(sql: Sql, transactions: Transactions, audit: PostgresAudit) {
    this.#sql = sql;
    this.#transactions = transactions;
    this.#audit = audit;
  }

  /** The queues this process works on. */
  get queuesTaken(): readonly string[] {
    return [...this.#queuesTaken];
  }

  async get(id: string): Promise<Operation | undefined> {
    const [row] = await this.#sql.query<OperationRow>(`SELECT ${operationColumns} FROM operations WHERE id = $1`, [id]);
    return row && toOperation(row);
  }

  async listFor(resourceId: string, limit: number): Promise<readonly Operation[]> {
    const rows = await this.#sql.query<OperationRow>(
      `SELECT ${operationColumns} FROM operations WHERE resource_key = $1 ORDER BY seq DESC LIMIT $2`,
      [toKey(resourceId), limit],
    );
    return rows.map(toOperation);
  }

  async take(request: TakeRequest): Promise<LeasedOperation | undefined> {
    for (const rule of request.queues) {
      this.#queuesTaken.add(rule.name);
    }
    // Looking takes no locks, so idle workers do not get in each other's way.
    for (const { group, isDue } of await readyGroups(this.#sql, request.queues)) {
      if (isDue) {
        await this.#transactions.run((sql) => unparkDue(sql, group.names));
      }
      const leased = await leaseFrom(this.#sql, this.#transactions, group, request);
      if (leased !== undefined) {
        return leased;
      }
    }
    return undefined;
  }

  async renew(lease: Lease, leaseMs: number): Promise<{ readonly cancelReason: string | undefined }> {
    const [row] = await this.#sql.query<{ cancel_reason: string | null }>(
      `UPDATE operations SET lease_expires = ${fromNow(4)} WHERE ${holdsLease} RETURNING cancel_reason`,
      [...proofOf(lease), leaseMs],
    );
    if (row === undefined) {
      throw leaseLost(lease);
    }
    return { cancelReason: row.cancel_reason ?? undefined };
  }

  async progress(lease: Lease, steps: readonly OperationStep[], isFurther = false): Promise<void> {
    const isStored = await this.#transactions.announced([{ kind: "progress", operationId: lease.operationId }], {
      change: `UPDATE operations SET steps = $4${isFurther ? `, ${gotFurther}` : ""} WHERE ${holdsLease} RETURNING 1`,
      values: [...proofOf(lease), JSON.stringify(steps)],
    });
    if (!isStored) {
      throw leaseLost(lease);
    }
  }

  async retryLater(lease: Lease, delayMs: number, error: ErrorDetail): Promise<void> {
    await this.#transactions.run(async (sql, announce) => {
      const set = `${putBack}, ${parkUntil("backOff", fromNow(4))}, error = $5`;
      const queue = await updateLeased(sql, lease, set, [boundedMs(delayMs), JSON.stringify(error)]);
      announce({ kind: "work", queue });
    });
  }

  async handBack(lease: Lease): Promise<void> {
    await this.#transactions.run(async (sql, announce) => {
      const set = `${putBack}, attempt = attempt - 1,
        state = CASE attempt WHEN 1 THEN 'Accepted' ELSE state END,
        started_at = CASE attempt WHEN 1 THEN NULL ELSE started_at END`;
      const queue = await updateLeased(sql, lease, set, []);
      announce({ kind: "work", queue });
    });
  }

  async outlive({ operationId, fence }: Lease): Promise<void> {
    await this.#sql.query(
      `UPDATE operations SET deaths = '[]',
         attempt_started_at = CASE WHEN fence = $2 THEN NULL ELSE attempt_started_at END
       WHERE id = $1 AND ended_at IS NULL`,
      [operationId, fence],
    );
  }

  async requestCancel(id: string, reason: string, audit: readonly AuditRecord[] = []): Promise<boolean> {
    return await this.#transactions.run(async (sql, announce) => {
      const rows = await sql.query<CancelledRow>(
        `UPDATE operations SET ${cancelNow} WHERE id = $2 AND ended_at IS NULL RETURNING id, queue`,
        [reason, id],
      );
      await announceCancelled(sql, rows, announce);
      if (rows.length > 0) {
        await this.#audit.insert(sql, audit);
      }
      return rows.length > 0;
    });
  }

  async prune(olderThanMs: number): Promise<number> {
    const [row] = await this.#sql.query<{ count: number }>(
      `WITH gone AS (DELETE FROM operations WHERE ended_at < ${fromNow(1)} RETURNING 1)
       SELECT count(*)::integer AS count FROM gone`,
      [-olderThanMs],
    );
    return row?.count ?? 0;
  }

  async depths(): Promise<readonly QueueDepth[]> {
    return await this.#sql.query<QueueDepth>(
      `SELECT queue, sum(waiting)::integer AS waiting, sum(running)::integer AS running, sum(parked)::integer AS parked
       FROM (
         SELECT queue, count(*) FILTER (WHERE lease_expires IS NULL OR lease_expires <= clock_timestamp()) AS waiting,
           count(*) FILTER (WHERE lease_expires > clock_timestamp()) AS running, 0 AS parked
         FROM operations WHERE ended_at IS NULL AND parked IS NULL GROUP BY queue
         UNION ALL
         SELECT queue, count(*) FILTER (WHERE parked = 'backOff'), 0, count(*) FILTER (WHERE parked <> 'backOff')
         FROM operations WHERE ended_at IS NULL AND parked IS NOT NULL GROUP BY queue) AS counts
       GROUP BY queue ORDER BY queue`,
    );
  }

  async dueInMs(queues: readonly string[]): Promise<number | undefined> {
    const [row] = await this.#sql.query<{ ms: number | null }>(
      `SELECT extract(epoch FROM min(next.run_after) - statement_timestamp())::float8 * 1000 AS ms
       FROM unnest($1::text[]) AS name CROSS JOIN LATERAL (
         SELECT run_after FROM operations
         WHERE queue = name AND ended_at IS NULL AND parked IS NOT NULL AND run_after > statement_timestamp()
         ORDER BY run_after LIMIT 1) AS next`,
      [queues],
    );
    return row?.ms ?? undefined;
  }

  /** Inside a transaction that has checked the lease. */
  async noteFurther(sql: Sql, lease: Lease): Promise<void> {
    if (!this.#further.has(lease)) {
      await sql.query(`UPDATE operations SET ${gotFurther} WHERE id = $1`, [lease.operationId]);
      this.#further.add(lease);
    }
  }
}

// --- parts of a `Write`, inside its transaction ---

export async function insertOperation(sql: Sql, operation: NewOperation, announce: Announce): Promise<void> {
  await sql.query(
    `INSERT INTO operations (id, resource_key, resource_id, kind, api_version, queue, caller, correlation_id,
       traceparent, input, identity, awaited_by, state, created_at, deadline_at, run_after)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'Accepted', clock_timestamp(), ${fromNow(13)},
       clock_timestamp())`,
    [
      operation.id,
      toKey(operation.resourceId),
      operation.resourceId,
      operation.kind,
      operation.apiVersion,
      operation.queue,
      operation.caller,
      operation.correlationId,
      operation.traceparent ?? null,
      operation.input === undefined ? null : JSON.stringify(operation.input),
      operation.identity === undefined ? null : JSON.stringify(operation.identity),
      operation.awaitedBy ?? null,
      operation.timeoutMs,
    ],
  );
  announce({ kind: "work", queue: operation.queue });
}

/** Locks the operation, so that the lease holds until the commit. @throws StoreError `LeaseLost` */
export async function checkLease(sql: Sql, lease: Lease): Promise<void> {
  const [row] = await sql.query(`SELECT 1 FROM operations WHERE ${holdsLease} FOR UPDATE`, proofOf(lease));
  if (row === undefined) {
    throw leaseLost(lease);
  }
}

/** After `checkLease`, so that operations that began to wait for this one have committed and are seen here. */
export async function finishOperation(
  sql: Sql,
  lease: Lease,
  outcome: OperationOutcome,
  announce: Announce,
): Promise<void> {
  const error = outcome.error === undefined ? null : JSON.stringify(outcome.error);
  const [row] = await sql.query<{ queue: string; is_awaited: boolean }>(
    `UPDATE operations SET ${endNow}, state = $4, error = $5 WHERE ${holdsLease}
     RETURNING queue, EXISTS (SELECT 1 FROM operation_waits WHERE awaited = operations.id) AS is_awaited`,
    [...proofOf(lease), outcome.state, error],
  );
  if (row === undefined) {
    throw leaseLost(lease);
  }
  announce({ kind: "ended", operationId: lease.operationId });
  announce({ kind: "work", queue: row.queue });
  if (row.is_awaited) {
    (await wakeWaiting(sql, lease.operationId)).forEach(announce);
  }
}

/**
 * @param running those awaited that have not ended, locked
 * @throws StoreError `WaitCycle`
 */
export async function parkOperation(
  sql: Sql,
  lease: Lease,
  park: Park,
  running: readonly string[],
  announce: Announce,
): Promise<void> {
  const asItWas = `${putBack}, attempt = attempt - 1`;
  if (park.kind === "again") {
    const set = `${asItWas}, ${parkUntil("again", fromNow(4))}`;
    announce({ kind: "work", queue: await updateLeased(sql, lease, set, [boundedMs(park.afterMs)]) });
    return;
  }
  const [own] = await sql.query<{ cancel_reason: string | null }>(
    "SELECT cancel_reason FROM operations WHERE id = $1",
    [lease.operationId],
  );
  if (running.length === 0 || own?.cancel_reason !== null) {
    announce({ kind: "work", queue: await updateLeased(sql, lease, asItWas, []) });
    return;
  }
  const queue = await updateLeased(sql, lease, `${asItWas}, ${parkUntil("waiting", "deadline_at")}`, []);
  await addWaits(sql, lease.operationId, running);
  announce({ kind: "work", queue });
}

export async function supersedeOperation(sql: Sql, id: string, announce: Announce): Promise<void> {
  const [row] = await sql.query<{ queue: string }>(
    `UPDATE operations SET ${endNow}, state = 'Canceled', error = $2 WHERE id = $1 AND ended_at IS NULL RETURNING queue`,
    [id, JSON.stringify(supersededError)],
  );
  if (row === undefined) {
    return;
  }
  await forgetWaits(sql, [id]);
  announce({ kind: "cancel", operationId: id });
  announce({ kind: "ended", operationId: id });
  announce({ kind: "work", queue: row.queue });
  (await wakeWaiting(sql, id)).forEach(announce);
}

/** After the other operation was locked or ended, so that it starts nothing more. */
export async function cancelAwaited(
  sql: Sql,
  { awaitedBy, queue, reason }: CancelRequest,
  announce: Announce,
): Promise<void> {
  const rows = await sql.query<CancelledRow>(
    `UPDATE operations SET ${cancelNow} WHERE awaited_by = $2 AND queue = $3 AND ended_at IS NULL RETURNING id, queue`,
    [reason, awaitedBy, queue],
  );
  await announceCancelled(sql, rows, announce);
}

async function announceCancelled(sql: Sql, rows: readonly CancelledRow[], announce: Announce): Promise<void> {
  await forgetWaits(
    sql,
    rows.map(({ id }) => id),
  );
  for (const { id, queue } of rows) {
    announce({ kind: "cancel", operationId: id });
    announce({ kind: "work", queue });
  }
}

/** An operation that was cancelled meanwhile is not parked: a worker has to end it. */
function parkUntil(parked: Parked, time: string): string {
  return `parked = CASE WHEN cancel_reason IS NULL THEN '${parked}' END, run_after = least(${time}, deadline_at)`;
}

/** `set` may use parameters from $4 on. @returns the operation's queue. @throws StoreError `LeaseLost` */
async function updateLeased(sql: Sql, lease: Lease, set: string, values: readonly unknown[]): Promise<string> {
  const [row] = await sql.query<{ queue: string }>(`UPDATE operations SET ${set} WHERE ${holdsLease} RETURNING queue`, [
    ...proofOf(lease),
    ...values,
  ]);
  if (row === undefined) {
    throw leaseLost(lease);
  }
  return row.queue;
}

function proofOf(lease: Lease): unknown[] {
  return [lease.operationId, lease.owner, lease.fence];
}
