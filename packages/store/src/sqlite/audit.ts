import type { Clock } from "@rad/core";
import { toAuditRecord } from "../audit/audit-row.ts";
import type { AuditRow } from "../audit/audit-row.ts";
import type { AuditRecord, AuditStore, StoredAuditRecord } from "../store.ts";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { removeInPieces } from "./remove-in-pieces.ts";
import type { StoreTime } from "./store-time.ts";

/** What the parts of a store share. */
export interface SqliteParts {
  readonly database: Database;
  readonly writes: GroupCommit;
  readonly clock: Clock;
  readonly time: StoreTime;
}

export class SqliteAudit implements AuditStore {
  readonly #database: Database;
  readonly #writes: GroupCommit;
  readonly #clock: Clock;
  readonly #time: StoreTime;
  /** Open intents that this process works on. Those of other processes are abandoned: there is one at a time. */
  readonly #ownIntents = new Set<string>();

  constructor({ database, writes, clock, time }: SqliteParts) {
    this.#database = database;
    this.#writes = writes;
    this.#clock = clock;
    this.#time = time;
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
    const sql = `DELETE FROM audit WHERE sequence IN (SELECT sequence FROM audit WHERE stored_at < ? LIMIT ?)`;
    return removeInPieces(this.#writes, (most) => this.#database.run(sql, [this.#time.now() - olderThanMs, most]));
  }

  abandon(intentId: string): void {
    this.#ownIntents.delete(intentId);
  }

  async closeAbandoned(): Promise<number> {
    const abandoned = this.#database
      .all<{ id: string; operation_id: string | null }>(openWithoutOperation)
      .filter(({ id, operation_id: operationId }) => operationId !== null || !this.#ownIntents.has(id));
    return abandoned.length === 0
      ? 0
      : await this.#writes.run(() => abandoned.filter(({ id }) => this.#closeUnknown(id)).length);
  }

  /** Inside a transaction. */
  insert(records: readonly AuditRecord[]): void {
    for (const record of records) {
      if (record.intentId === undefined) {
        this.#insert(record);
      } else if (record.phase === "intent") {
        this.#open(record, record.intentId);
      } else if (this.#close(record.intentId) !== undefined) {
        this.#insert(record);
      }
    }
  }

  #open(record: AuditRecord, intentId: string): void {
    if (this.#database.get("SELECT 1 FROM open_intents WHERE id = ?", [intentId]) !== undefined) {
      return;
    }
    this.#database.run("INSERT INTO open_intents (id, sequence, operation_id) VALUES (?, ?, ?)", [
      intentId,
      this.#insert(record),
      record.operationId ?? null,
    ]);
    if (record.operationId === undefined) {
      this.#ownIntents.add(intentId);
    }
  }

  /** @returns the sequence number of the intent, if it was open. */
  #close(intentId: string): number | undefined {
    this.#ownIntents.delete(intentId);
    const closed = "DELETE FROM open_intents WHERE id = ? RETURNING sequence";
    return this.#database.get<{ sequence: number }>(closed, [intentId])?.sequence;
  }

  #closeUnknown(intentId: string): boolean {
    const sequence = this.#close(intentId);
    const row = sequence && this.#database.get<AuditRow>("SELECT * FROM audit WHERE sequence = ?", [sequence]);
    if (typeof row !== "object") {
      return false;
    }
    this.#insert({ ...toAuditRecord(row), phase: "outcome", time: this.#clock.now(), result: "Unknown" });
    return true;
  }

  #insert(record: AuditRecord): number {
    const row = this.#database.get<{ sequence: number }>(
      `INSERT INTO audit (phase, time, caller, action, target, api_version, correlation_id, operation_id, status,
         result, intent_id, stored_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING sequence`,
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
        record.intentId ?? null,
        this.#time.now(),
      ],
    );
    return row?.sequence ?? 0;
  }
}

/** Open intents, except those whose operation goes on. */
const openWithoutOperation = `
  SELECT id, operation_id FROM open_intents
  WHERE operation_id IS NULL OR NOT EXISTS (
    SELECT 1 FROM operations WHERE operations.id = open_intents.operation_id AND ended_at IS NULL)`;
