import type { Clock, ErrorDetail } from "@rad/core";
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
  StoreEvent,
  TakeRequest,
} from "../store.ts";
import type { SqliteAudit, SqliteParts } from "./audit.ts";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { removeInPieces } from "./remove-in-pieces.ts";
import type { StoreTime } from "./store-time.ts";
import { addWaits, forgetWaits, isDue, stillRunning, unparkDue, wakeWaiting } from "./parking.ts";
import { leaseOperation, oldestReady } from "./ready-operations.ts";

type Announce = (event: StoreEvent) => void;
type CancelledRow = { readonly id: string; readonly queue: string };

const holdsLease = "id = ? AND lease_owner = ? AND fence = ? AND lease_expires > ? AND ended_at IS NULL";
const putBack = "lease_owner = NULL, lease_expires = NULL, fence = fence + 1, deaths = '[]'";
const cancelSql = "UPDATE operations SET cancel_reason = coalesce(cancel_reason, ?), parked = NULL";
const cancelled = "RETURNING id, queue";
const endNow = `${putBack}, parked = NULL, state = ?, error = ?, ended_at = ?, kept_since = ?`;

/**
 * An operation is *waiting* (no lease, or one that ran out), *leased*, *parked* (see `Parked`), or *ended* (`ended_at`).
 * Taking leases it; handing back, an expired lease and a restart make it wait again; retrying later and `park` put it
 * aside; an outcome and `supersede` end it.
 * Each of these moves except expiry raises `fence`, and every write of a worker names the fence it was given.
 *
 * A lease that was not given up has an owner still: its process died, unless it takes the operation again itself or says
 * that it lives (`outlive`). `deaths` has the starts of such attempts since one ended otherwise or got further, which clears
 * `attempt_started_at`.
 *
 * `created_at`, `started_at`, `ended_at` and those starts are wall-clock times for people; every other one is `StoreTime`.
 */
export class SqliteOperations implements OperationStore {
  readonly #database: Database;
  readonly #writes: GroupCommit;
  readonly #audit: SqliteAudit;
  readonly #clock: Clock;
  readonly #time: StoreTime;
  /** Leases under which something new was stored. */
  readonly #further = new WeakSet<Lease>();
  /** A lease that was found to hold, and the transaction in which nothing has touched it since. */
  #held: { readonly lease: Lease; readonly transaction: number } | undefined;

  constructor({ database, writes, clock, time }: SqliteParts, audit: SqliteAudit) {
    this.#database = database;
    this.#writes = writes;
    this.#audit = audit;
    this.#clock = clock;
    this.#time = time;
  }

  async get(id: string): Promise<Operation | undefined> {
    const row = this.#database.get<OperationRow>(`SELECT ${operationColumns} FROM operations WHERE id = ?`, [id]);
    return row && toOperation(row);
  }

  async listFor(resourceId: string, limit: number): Promise<readonly Operation[]> {
    const rows = this.#database.all<OperationRow>(
      `SELECT ${operationColumns} FROM operations WHERE resource_key = ? ORDER BY seq DESC LIMIT ?`,
      [toKey(resourceId), limit],
    );
    return rows.map(toOperation);
  }

  /** A lease that a power cut takes away has no holder any more. */
  async take(request: TakeRequest): Promise<LeasedOperation | undefined> {
    const now = this.#now();
    const due = request.queues.filter((queue) => isDue(this.#database, queue.name, now));
    if (due.length > 0) {
      this.#writes.runAtOnce(() => due.forEach((queue) => unparkDue(this.#database, queue.name, now)));
    }
    const seq = oldestReady(this.#database, request.queues, this.#now());
    if (seq === undefined) {
      return undefined;
    }
    return this.#writes.runAtOnce(() =>
      leaseOperation(this.#database, seq, request, { now: this.#now(), wallNow: this.#wallNow() }),
    );
  }

  renew(lease: Lease, leaseMs: number): Promise<{ readonly cancelReason: string | undefined }> {
    return this.#writes.run(() => {
      const now = this.#now();
      const row = this.#database.get<{ cancel_reason: string | null }>(
        `UPDATE operations SET lease_expires = ? WHERE ${holdsLease} RETURNING cancel_reason`,
        [now + leaseMs, lease.operationId, lease.owner, lease.fence, now],
      );
      if (row === undefined) {
        throw leaseLost(lease);
      }
      return { cancelReason: row.cancel_reason ?? undefined };
    }, "soon");
  }

  progress(lease: Lease, steps: readonly OperationStep[], isFurther = false): Promise<void> {
    return this.#writes.run((announce) => {
      this.#updateLeased(lease, "steps = ?", [JSON.stringify(steps)]);
      if (isFurther) {
        this.noteFurther(lease);
      }
      announce({ kind: "progress", operationId: lease.operationId });
    }, "soon");
  }

  retryLater(lease: Lease, delayMs: number, error: ErrorDetail): Promise<void> {
    return this.#writes.run((announce) => {
      const queue = this.#updateLeased(lease, `${putBack}, ${parkUntil("backOff")}, error = ?`, [
        this.#now() + boundedMs(delayMs),
        JSON.stringify(error),
      ]);
      announce({ kind: "work", queue });
    });
  }

  handBack(lease: Lease): Promise<void> {
    return this.#writes.run((announce) => {
      const queue = this.#updateLeased(
        lease,
        `${putBack}, attempt = attempt - 1, state = iif(attempt = 1, 'Accepted', state),
         started_at = iif(attempt = 1, NULL, started_at)`,
        [],
      );
      announce({ kind: "work", queue });
    });
  }

  outlive({ operationId, fence }: Lease): Promise<void> {
    return this.#writes.run(() => {
      this.#database.run(
        `UPDATE operations SET deaths = '[]', attempt_started_at = iif(fence = ?, NULL, attempt_started_at)
         WHERE id = ? AND ended_at IS NULL`,
        [fence, operationId],
      );
    });
  }

  requestCancel(id: string, reason: string, audit: readonly AuditRecord[] = []): Promise<boolean> {
    return this.#writes.run((announce) => {
      const rows = this.#database.all<CancelledRow>(`${cancelSql} WHERE id = ? AND ended_at IS NULL ${cancelled}`, [
        reason,
        id,
      ]);
      this.#announceCancelled(rows, announce);
      if (rows.length > 0) {
        this.#audit.insert(audit);
      }
      return rows.length > 0;
    });
  }

  prune(olderThanMs: number): Promise<number> {
    const sql = `DELETE FROM operations WHERE seq IN (SELECT seq FROM operations WHERE kept_since < ? LIMIT ?)`;
    return removeInPieces(this.#writes, (most) => this.#database.run(sql, [this.#now() - olderThanMs, most]));
  }

  async depths(): Promise<readonly QueueDepth[]> {
    const now = this.#now();
    const rows = this.#database.all<QueueDepth>(
      `SELECT queue, sum(waiting) AS waiting, sum(running) AS running, sum(parked) AS parked FROM (
         SELECT queue, lease_expires IS NULL OR lease_expires <= ? AS waiting,
           lease_expires IS NOT NULL AND lease_expires > ? AS running, 0 AS parked
         FROM operations WHERE ended_at IS NULL AND parked IS NULL
         UNION ALL SELECT queue, parked = 'backOff', 0, parked <> 'backOff'
         FROM operations WHERE ended_at IS NULL AND parked IS NOT NULL)
       GROUP BY queue ORDER BY queue`,
      [now, now],
    );
    return rows.map(({ queue, waiting, running, parked }) => ({ queue, waiting, running, parked }));
  }

  async dueInMs(queues: readonly string[]): Promise<number | undefined> {
    const now = this.#now();
    const times = queues.flatMap(
      (queue) =>
        this.#database.get<{ run_after: number }>(
          `SELECT run_after FROM operations
           WHERE queue = ? AND ended_at IS NULL AND parked IS NOT NULL AND run_after > ? ORDER BY run_after LIMIT 1`,
          [queue, now],
        )?.run_after ?? [],
    );
    return times.length === 0 ? undefined : Math.min(...times) - now;
  }

  // --- parts of a `Write`, inside its transaction ---

  insert(operation: NewOperation, announce: Announce): void {
    const now = this.#now();
    const created = this.#wallNow();
    this.#database.run(
      `INSERT INTO operations (id, resource_key, resource_id, kind, api_version, queue, caller, correlation_id,
         traceparent, input, identity, awaited_by, state, created_at, deadline_at, run_after)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'Accepted', ?, ?, ?)`,
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
        created,
        now + operation.timeoutMs,
        now,
      ],
    );
    announce({ kind: "work", queue: operation.queue });
  }

  /** @throws StoreError `LeaseLost` */
  checkLease(lease: Lease): void {
    const { transactions } = this.#writes;
    if (this.#held?.lease === lease && this.#held.transaction === transactions) {
      return; // many steps of one operation are written together
    }
    const row = this.#database.get(`SELECT 1 FROM operations WHERE ${holdsLease}`, [
      lease.operationId,
      lease.owner,
      lease.fence,
      this.#now(),
    ]);
    if (row === undefined) {
      throw leaseLost(lease);
    }
    this.#held = { lease, transaction: transactions };
  }

  finish(lease: Lease, outcome: OperationOutcome, announce: Announce): void {
    const error = outcome.error === undefined ? null : JSON.stringify(outcome.error);
    const queue = this.#updateLeased(lease, endNow, [outcome.state, error, this.#wallNow(), this.#now()]);
    this.#announceEnd(lease.operationId, queue, announce);
  }

  /** @throws StoreError `WaitCycle` */
  park(lease: Lease, park: Park, announce: Announce): void {
    const asItWas = `${putBack}, attempt = attempt - 1`;
    if (park.kind === "again") {
      const values = [this.#now() + boundedMs(park.afterMs)];
      announce({ kind: "work", queue: this.#updateLeased(lease, `${asItWas}, ${parkUntil("again")}`, values) });
      return;
    }
    const own = "SELECT cancel_reason FROM operations WHERE id = ?";
    const isCancelled = this.#database.get<{ cancel_reason: string | null }>(own, [lease.operationId])?.cancel_reason;
    const running = typeof isCancelled === "string" ? [] : stillRunning(this.#database, park.for);
    if (running.length === 0) {
      announce({ kind: "work", queue: this.#updateLeased(lease, asItWas, []) });
      return;
    }
    // The deadline is the only time that ends such a wait.
    const queue = this.#updateLeased(lease, `${asItWas}, ${parkUntil("waiting")}`, [Number.MAX_SAFE_INTEGER]);
    addWaits(this.#database, lease.operationId, running);
    announce({ kind: "work", queue });
  }

  supersede(id: string, announce: Announce): void {
    this.#held = undefined;
    const row = this.#database.get<{ queue: string }>(
      `UPDATE operations SET ${endNow} WHERE id = ? AND ended_at IS NULL RETURNING queue`,
      ["Canceled", JSON.stringify(supersededError), this.#wallNow(), this.#now(), id],
    );
    if (row !== undefined) {
      forgetWaits(this.#database, id);
      announce({ kind: "cancel", operationId: id });
      this.#announceEnd(id, row.queue, announce);
    }
  }

  cancelAwaited({ awaitedBy, queue, reason }: CancelRequest, announce: Announce): void {
    const rows = this.#database.all<CancelledRow>(
      `${cancelSql} WHERE awaited_by = ? AND queue = ? AND ended_at IS NULL ${cancelled}`,
      [reason, awaitedBy, queue],
    );
    this.#announceCancelled(rows, announce);
  }

  /** Something new was stored under the lease: whatever becomes of the process, the attempt was not in vain. */
  noteFurther(lease: Lease): void {
    this.#further.add(lease);
    this.#database.run("UPDATE operations SET deaths = '[]', attempt_started_at = NULL WHERE id = ?", [
      lease.operationId,
    ]);
  }

  isFurther(lease: Lease): boolean {
    return this.#further.has(lease);
  }

  /** A store has one process, so at its start every lease belongs to a dead one. */
  voidLeases(): number {
    return this.#database.run(`UPDATE operations SET lease_expires = NULL, fence = fence + 1
      WHERE lease_owner IS NOT NULL AND ended_at IS NULL`);
  }

  hasOpen(): boolean {
    return this.#database.get("SELECT 1 FROM operations WHERE ended_at IS NULL LIMIT 1") !== undefined;
  }

  #announceCancelled(rows: readonly CancelledRow[], announce: Announce): void {
    for (const { id, queue } of rows) {
      forgetWaits(this.#database, id);
      announce({ kind: "cancel", operationId: id });
      announce({ kind: "work", queue });
    }
  }

  #announceEnd(id: string, queue: string, announce: Announce): void {
    announce({ kind: "ended", operationId: id });
    announce({ kind: "work", queue });
    wakeWaiting(this.#database, id).forEach(announce);
  }

  /** @returns the operation's queue. @throws StoreError `LeaseLost` */
  #updateLeased(lease: Lease, set: string, values: readonly (string | number | null)[]): string {
    this.#held = undefined;
    const row = this.#database.get<{ queue: string }>(
      `UPDATE operations SET ${set} WHERE ${holdsLease} RETURNING queue`,
      [...values, lease.operationId, lease.owner, lease.fence, this.#now()],
    );
    if (row === undefined) {
      throw leaseLost(lease);
    }
    return row.queue;
  }

  #now(): number {
    return this.#time.now();
  }

  #wallNow(): number {
    return this.#clock.now().getTime();
  }
}

/** An operation that was cancelled meanwhile is not parked: a worker has to end it. */
function parkUntil(parked: Parked): string {
  return `parked = iif(cancel_reason IS NULL, '${parked}', NULL), run_after = min(?, deadline_at)`;
}
