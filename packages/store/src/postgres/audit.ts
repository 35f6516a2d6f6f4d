import { toAuditRecord } from "../audit/audit-row.ts";
import type { AuditRow } from "../audit/audit-row.ts";
import type { AuditRecord, AuditStore, StoredAuditRecord } from "../store.ts";
import type { Sql } from "./database.ts";
import type { Transactions } from "./transactions.ts";

/** Any number, as long as nothing else in the database uses it. */
const auditLock = 7_236_101;

export class PostgresAudit implements AuditStore {
  readonly #sql: Sql;
  readonly #transactions: Transactions;

  constructor(sql: Sql, transactions: Transactions) {
    this.#sql = sql;
    this.#transactions = transactions;
  }

  async append(records: readonly AuditRecord[]): Promise<void> {
    await this.#transactions.run((sql) => insertAudit(sql, records));
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
         DELETE FROM audit WHERE time < clock_timestamp() - $1::float8 * interval '1 millisecond' RETURNING 1)
       SELECT count(*)::integer AS count FROM gone`,
      [olderThanMs],
    );
    return row?.count ?? 0;
  }
}

/**
 * The last thing a transaction does before it announces and commits. Sequence numbers are drawn under a lock that
 * lasts until the commit: a reader that has seen one number will never find a smaller one later.
 */
export async function insertAudit(sql: Sql, records: readonly AuditRecord[]): Promise<void> {
  if (records.length === 0) {
    return;
  }
  await sql.query(`SELECT pg_advisory_xact_lock(${auditLock})`);
  for (const record of records) {
    await sql.query(
      `INSERT INTO audit (phase, time, caller, action, target, api_version, correlation_id, operation_id, status,
         result) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        record.phase,
        record.time,
        record.caller,
        record.action,
        record.target,
        record.apiVersion,
        record.correlationId,
        record.operationId ?? null,
        record.status ?? null,
        record.result ?? null,
      ],
    );
  }
}
