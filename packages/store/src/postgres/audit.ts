import { setTimeout as delay } from "node:timers/promises";
import { toAuditRecord } from "../audit/audit-row.ts";
import type { AuditRow } from "../audit/audit-row.ts";
import type { AuditRecord, AuditStore, StoredAuditRecord } from "../store.ts";
import { fromNow } from "./database-time.ts";
import type { Database } from "./database.ts";
import type { SharedWrites } from "./shared-writes.ts";
import { auditItem, type AuditItem } from "./write-item.ts";

/** How long a reader holds writers up, each time; in between they go on. The first are shorter than writers wait for a lock. */
const settlePatienceMs = [10, 10, 20, 50, 100, 200, 400, 800, 1_000, 1_000, 1_000];

/**
 * An open intent is leased, like an operation, by the process that works on it; it is renewed as long as that lives. One
 * that an operation works on needs no lease.
 */
export class PostgresAudit implements AuditStore {
  readonly #database: Database;
  readonly #writes: SharedWrites;
  readonly #leaseMs: number;
  readonly #ownIntents = new Set<string>();
  /** Nothing will be added up to this number. */
  #settled = 0;

  constructor(database: Database, writes: SharedWrites, leaseMs: number) {
    this.#database = database;
    this.#writes = writes;
    this.#leaseMs = leaseMs;
  }

  async append(records: readonly AuditRecord[]): Promise<void> {
    if (records.length > 0) {
      await this.#writes.run({
        item: () => ({ audit: this.items(records) }),
        operationId: undefined,
        types: [],
        size: records.length * 200,
      });
    }
  }

  /**
   * Numbers are drawn before the commit, so a smaller one may appear after a larger one. Who has seen a number must never
   * find a smaller one later: a page ends where a record could still be on its way. Writers do not wait for each other
   * over this; a reader of the newest records waits for those who are writing. What became settled while a page was read
   * says nothing about that page.
   */
  async list(query: { readonly after?: number; readonly limit: number }): Promise<readonly StoredAuditRecord[]> {
    const settledBefore = this.#settled;
    const records = await this.#read(query);
    const last = records.at(-1)?.sequence ?? 0;
    if (last <= settledBefore) {
      return records;
    }
    const settled = (await this.#settle()) ?? settledBefore;
    return (await this.#read(query)).filter(({ sequence }) => sequence <= settled);
  }

  /** @returns nothing when somebody has been writing for seconds, as one who waits for a lock does. */
  async #settle(): Promise<number | undefined> {
    for (const patienceMs of settlePatienceMs) {
      const [row] = await this.#database.query<{ settled: string | null }>("SELECT radius_settled($1) AS settled", [
        patienceMs,
      ]);
      if (typeof row?.settled === "string") {
        const settled = Number(row.settled);
        this.#settled = Math.max(this.#settled, settled);
        return settled;
      }
      await delay(patienceMs);
    }
    return undefined;
  }

  async #read({ after = 0, limit }: { readonly after?: number; readonly limit: number }): Promise<StoredAuditRecord[]> {
    const rows = await this.#database.query<AuditRow>(
      "SELECT * FROM audit WHERE sequence > $1 ORDER BY sequence LIMIT $2",
      [after, limit],
    );
    return rows.map(toAuditRecord);
  }

  async prune(olderThanMs: number): Promise<number> {
    const [row] = await this.#database.query<{ count: number }>(
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
      await this.#database.query(`UPDATE open_intents SET lease_expires = ${fromNow(2)} WHERE id = ANY ($1::text[])`, [
        [...this.#ownIntents],
        this.#leaseMs,
      ]);
    }
    const [row] = await this.#database.query<{ count: number }>("SELECT radius_close_intents() AS count");
    return row?.count ?? 0;
  }

  /** What a write adds to the log. */
  items(records: readonly AuditRecord[]): readonly AuditItem[] {
    for (const { intentId, phase, operationId } of records) {
      if (intentId !== undefined && phase === "intent" && operationId === undefined) {
        this.#ownIntents.add(intentId);
      } else if (intentId !== undefined) {
        this.#ownIntents.delete(intentId);
      }
    }
    return records.map((record) => auditItem(record, this.#leaseMs));
  }
}
