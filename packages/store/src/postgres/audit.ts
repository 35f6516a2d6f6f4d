import { toAuditRecord } from "../audit/audit-row.ts";
import type { AuditRow } from "../audit/audit-row.ts";
import type { AuditRecord, AuditStore, StoredAuditRecord } from "../store.ts";
import { fromNow } from "./database-time.ts";
import type { Sql } from "./database.ts";
import type { Transactions } from "./transactions.ts";

/** Any number, as long as nothing else in the database uses it. */
const auditLock = 7_236_101;

/**
 * An open intent is leased, like an operation, by the process that works on it; it is renewed as long as that lives. One
 * that an operation works on needs no lease.
 */
export class PostgresAudit implements AuditStore {
  readonly #sql: Sql;
  readonly #transactions: Transactions;
  readonly #leaseMs: number;
  readonly #ownIntents = new Set<string>();

  constructor(sql: Sql, transactions: Transactions, leaseMs: number) {
    this.#sql = sql;
    this.#transactions = transactions;
    this.#leaseMs = leaseMs;
  }

  async append(records: readonly AuditRecord[]): Promise<void> {
    await this.#transactions.run((sql) => this.insert(sql, records));
  }

  async list(query: { readonly after?: number; readonly limit: number }): Promise<readonly StoredAuditRecord[]> {
    const rows = await this.#sql.query<AuditRow>("SELECT * FROM audit WHERE sequence > $1 ORDER BY sequence LIMIT $2", [
      query.after ?? 0,
      query.limit,
    ]);
    return rows.map(toAuditRecord);
  }

  async prune(olderThanMs: number): Promise<number> {
    const [row] = await this.#sql.query<{ count: number }>(
      `WITH gone AS (
         DELETE FROM audit WHERE stored_at < ${fromNow(1)} RETURNING 1)
       SELECT count(*)::integer AS count FROM gone`,
      [-olderThanMs],
    );
    return row?.count ?? 0;
  }

  abandon(intentId: string): void {
    this.#ownIntents.delete(intentId);
  }

  async closeAbandoned(): Promise<number> {
    if (this.#ownIntents.size > 0) {
      await this.#sql.query(`UPDATE open_intents SET lease_expires = ${fromNow(2)} WHERE id = ANY ($1::text[])`, [
        [...this.#ownIntents],
        this.#leaseMs,
      ]);
    }
    const [found] = await this.#sql.query(`SELECT 1 FROM open_intents WHERE ${isAbandoned} LIMIT 1`);
    if (found === undefined) {
      return 0;
    }
    return await this.#transactions.run(async (sql) => {
      await lockAudit(sql);
      return (await sql.query(closeUnknown)).length;
    });
  }

  /**
   * The last thing a transaction does before it announces and commits. Sequence numbers are drawn under a lock that
   * lasts until the commit: a reader that has seen one number will never find a smaller one later.
   */
  async insert(sql: Sql, records: readonly AuditRecord[]): Promise<void> {
    if (records.length === 0) {
      return;
    }
    await lockAudit(sql);
    const plain = records.every(({ intentId }) => intentId === undefined);
    for (const batch of plain ? [records] : records.map((record) => [record])) {
      const [{ intentId, phase, operationId } = {}] = batch;
      if (intentId === undefined) {
        await insertRecords(sql, batch);
      } else if (phase === "intent") {
        await this.#open(sql, batch, { intentId, operationId });
      } else if (await this.#close(sql, intentId)) {
        await insertRecords(sql, batch);
      }
    }
  }

  async #open(
    sql: Sql,
    batch: readonly AuditRecord[],
    { intentId, operationId }: { readonly intentId: string; readonly operationId: string | undefined },
  ): Promise<void> {
    if (operationId === undefined) {
      this.#ownIntents.add(intentId);
    }
    const [open] = await sql.query(`UPDATE open_intents SET lease_expires = ${fromNow(2)} WHERE id = $1 RETURNING 1`, [
      intentId,
      this.#leaseMs,
    ]);
    if (open === undefined) {
      await sql.query(
        `INSERT INTO open_intents (id, sequence, operation_id, lease_expires) VALUES ($1, $2, $3, ${fromNow(4)})`,
        [intentId, await insertRecords(sql, batch), operationId ?? null, this.#leaseMs],
      );
    }
  }

  /** @returns whether the intent was open. */
  async #close(sql: Sql, intentId: string): Promise<boolean> {
    this.#ownIntents.delete(intentId);
    const [closed] = await sql.query("DELETE FROM open_intents WHERE id = $1 RETURNING 1", [intentId]);
    return closed !== undefined;
  }
}

async function lockAudit(sql: Sql): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(${auditLock})`);
}

/** One statement, however many there are. @returns the last sequence number. */
async function insertRecords(sql: Sql, records: readonly AuditRecord[]): Promise<string> {
  const column = (value: (record: AuditRecord) => unknown): unknown[] => records.map((record) => value(record) ?? null);
  const rows = await sql.query<{ sequence: string }>(
    `INSERT INTO audit (phase, time, caller, action, target, api_version, correlation_id, operation_id, status, result,
       intent_id)
     SELECT phase, time, caller, action, target, api_version, correlation_id, operation_id, status, result, intent_id
     FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::integer[], $10::text[], $11::text[]) WITH ORDINALITY
       AS record (phase, time, caller, action, target, api_version, correlation_id, operation_id, status, result,
         intent_id, place)
     ORDER BY place RETURNING sequence`,
    [
      column(({ phase }) => phase),
      column(({ time }) => time),
      column(({ caller }) => storable(caller)),
      column(({ action }) => storable(action)),
      column(({ target }) => storable(target)),
      column(({ apiVersion }) => storable(apiVersion)),
      column(({ correlationId }) => storable(correlationId)),
      column(({ operationId }) => operationId),
      column(({ status }) => status),
      column(({ result }) => result),
      column(({ intentId }) => intentId),
    ],
  );
  return rows.at(-1)?.sequence ?? "0";
}

/** PostgreSQL knows no text with a zero in it, and what one caller sends must not keep the others off the record. */
function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}

/** The process that worked on it is gone, or the operation has ended without saying what became of it. */
const isAbandoned = `CASE WHEN operation_id IS NULL THEN lease_expires <= clock_timestamp()
  ELSE NOT EXISTS (SELECT 1 FROM operations WHERE operations.id = open_intents.operation_id AND ended_at IS NULL) END`;

const closeUnknown = `
  WITH closed AS (DELETE FROM open_intents WHERE ${isAbandoned} RETURNING sequence)
  INSERT INTO audit (phase, time, caller, action, target, api_version, correlation_id, operation_id, result, intent_id)
  SELECT 'outcome', clock_timestamp(), caller, action, target, api_version, correlation_id, operation_id, 'Unknown',
    intent_id
  FROM audit JOIN closed USING (sequence) ORDER BY sequence RETURNING 1`;
