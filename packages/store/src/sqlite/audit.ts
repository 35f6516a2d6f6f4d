import type { Clock } from "@rad/core";
import { toAuditRecord } from "../audit/audit-row.ts";
import type { AuditRow } from "../audit/audit-row.ts";
import type { AuditRecord, AuditStore, StoredAuditRecord } from "../store.ts";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";

export class SqliteAudit implements AuditStore {
  readonly #database: Database;
  readonly #writes: GroupCommit;
  readonly #clock: Clock;

  constructor(database: Database, writes: GroupCommit, clock: Clock) {
    this.#database = database;
    this.#writes = writes;
    this.#clock = clock;
  }

  append(records: readonly AuditRecord[]): Promise<void> {
    return this.#writes.run(() => this.insert(records));
  }

  async list(query: { readonly after?: number; readonly limit: number }): Promise<readonly StoredAuditRecord[]> {
    const rows = this.#database.all<AuditRow>("SELECT * FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?", [
      query.after ?? 0,
      query.limit,
    ]);
    return rows.map(toAuditRecord);
  }

  prune(olderThanMs: number): Promise<number> {
    return this.#writes.run(() =>
      this.#database.run("DELETE FROM audit WHERE time < ?", [this.#clock.now().getTime() - olderThanMs]),
    );
  }

  /** Inside a transaction. */
  insert(records: readonly AuditRecord[]): void {
    for (const record of records) {
      this.#database.run(
        `INSERT INTO audit (phase, time, caller, action, target, api_version, correlation_id, operation_id, status,
           result) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          record.phase,
          record.time.getTime(),
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
}
