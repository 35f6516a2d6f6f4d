import type { ErrorDetail } from "@rad/core";
import { toKey } from "../documents/keys.ts";
import type { EventHub } from "../events.ts";
import { leaseLost } from "../operations/leases.ts";
import { operationColumns, toOperation } from "../operations/operation-row.ts";
import type { OperationRow } from "../operations/operation-row.ts";
import { boundedMs } from "../operations/parking.ts";
import type {
  AuditRecord,
  Lease,
  LeasedOperation,
  Operation,
  OperationStep,
  OperationStore,
  QueueDepth,
  StoreEvent,
  TakeRequest,
} from "../store.ts";
import type { PostgresAudit } from "./audit.ts";
import type { Database, Sql } from "./database.ts";
import { fromNow } from "./database-time.ts";
import { putBack } from "./operation-functions.ts";
import type { SqlValue } from "./prepared-query.ts";
import { Reads } from "./reads.ts";
import type { SharedWrites } from "./shared-writes.ts";
import { Takes } from "./takes.ts";

const holdsLease =
  "id = $1 AND lease_owner = $2 AND fence = $3 AND lease_expires > clock_timestamp() AND ended_at IS NULL";

export interface PostgresOperationsDeps {
  readonly database: Database;
  readonly writes: SharedWrites;
  readonly audit: PostgresAudit;
  readonly events: EventHub;
  readonly sender: string;
  /** Which version of a document was found beside an operation that was taken. */
  readonly onFound: (resourceId: string, etag: string | null) => void;
}

/**
 * The states are those of `SqliteOperations`; time is the database's own, so that the clocks of the processes need not
 * agree.
 */
export class PostgresOperations implements OperationStore {
  readonly #sql: Sql;
  readonly #reads: Reads<OperationRow>;
  readonly #writes: SharedWrites;
  readonly #audit: PostgresAudit;
  readonly #events: EventHub;
  readonly #sender: string;
  readonly #takes: Takes;
  readonly #queuesTaken = new Set<string>();

  constructor({ database, writes, audit, events, sender, onFound }: PostgresOperationsDeps) {
    this.#sql = database;
    this.#reads = new Reads(database, `SELECT ${operationColumns} FROM operations`, "id");
    this.#writes = writes;
    this.#audit = audit;
    this.#events = events;
    this.#sender = sender;
    this.#takes = new Takes(database, onFound);
  }

  /** The queues this process works on. */
  get queuesTaken(): readonly string[] {
    return [...this.#queuesTaken];
  }

  async get(id: string): Promise<Operation | undefined> {
    const row = await this.#reads.get(id);
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
    return await this.#takes.take(request);
  }

  async renew(lease: Lease, leaseMs: number): Promise<{ readonly cancelReason: string | undefined }> {
    const [row] = await this.#sql.query<{ cancel_reason: string | null }>(
      `UPDATE operations SET lease_expires = ${fromNow(4)} WHERE ${holdsLease} RETURNING cancel_reason`,
      [lease.operationId, lease.owner, lease.fence, leaseMs],
    );
    if (row === undefined) {
      throw leaseLost(lease);
    }
    return { cancelReason: row.cancel_reason ?? undefined };
  }

  async progress(lease: Lease, steps: readonly OperationStep[], isFurther = false): Promise<void> {
    const further = isFurther ? ", deaths = '[]', attempt_started_at = NULL" : "";
    await this.#announced(lease, "progress", `steps = $4${further}`, [JSON.stringify(steps)]);
  }

  async retryLater(lease: Lease, delayMs: number, error: ErrorDetail): Promise<void> {
    const parked = "parked = CASE WHEN cancel_reason IS NULL THEN 'backOff' END";
    await this.#announced(
      lease,
      "work",
      `${putBack}, ${parked}, run_after = least(${fromNow(4)}, deadline_at), error = $5`,
      [boundedMs(delayMs), JSON.stringify(error)],
    );
  }

  async handBack(lease: Lease): Promise<void> {
    await this.#announced(
      lease,
      "work",
      `${putBack}, attempt = attempt - 1, state = CASE attempt WHEN 1 THEN 'Accepted' ELSE state END,
       started_at = CASE attempt WHEN 1 THEN NULL ELSE started_at END`,
    );
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
    const { events } = await this.#writes.run({
      item: () => ({ stop: { id, reason }, audit: this.#audit.items(audit) }),
      operationId: undefined,
      types: [],
      size: 0,
    });
    return events.length > 0;
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

  /**
   * Changes the row of an operation in one statement that tells others of it, too.
   * @param set may use parameters from $4 on
   * @throws StoreError `LeaseLost`
   */
  async #announced(
    lease: Lease,
    kind: "work" | "progress",
    set: string,
    values: readonly SqlValue[] = [],
  ): Promise<void> {
    const { operationId, owner, fence } = lease;
    const event = kind === "work" ? "'kind', 'work', 'queue', queue" : "'kind', 'progress', 'operationId', id";
    const [row] = await this.#sql.query<{ event: StoreEvent }>(
      `WITH changed AS (UPDATE operations SET ${set} WHERE ${holdsLease} RETURNING id, queue),
       told AS (SELECT jsonb_build_object(${event}) AS event FROM changed)
       SELECT event, radius_tell($${values.length + 4}, jsonb_build_array(event)) FROM told`,
      [operationId, owner, fence, ...values, this.#sender],
    );
    if (row === undefined) {
      throw leaseLost(lease);
    }
    this.#events.emit([row.event]);
  }
}
