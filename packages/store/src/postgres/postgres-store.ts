import { inSlices, type JsonValue } from "@rad/core";
import { toKey } from "../documents/keys.ts";
import { prepareChanges } from "../documents/prepared-put.ts";
import type { PreparedChange } from "../documents/prepared-put.ts";
import type { EventHub } from "../events.ts";
import { checkWrite } from "../operations/check-write.ts";
import { progressWith } from "../operations/progress.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import type { ListQuery, Page, Store, StoredDocument, StoreEvent, Write } from "../store.ts";
import { PostgresAudit } from "./audit.ts";
import type { Database, Sql } from "./database.ts";
import { checkGuard, getDocument, listDocuments, lockDocument, putDocument, removeDocument } from "./documents.ts";
import {
  cancelAwaited,
  checkLease,
  finishOperation,
  insertOperation,
  parkOperation,
  PostgresOperations,
  supersedeOperation,
} from "./operations.ts";
import { keepTime } from "./keep-time.ts";
import { lockRunning, serializeWaits } from "./parking.ts";
import { Transactions } from "./transactions.ts";
import type { Announce } from "./transactions.ts";

export interface PostgresStoreDeps {
  readonly database: Database;
  readonly ring: KeyRing;
  readonly events: EventHub;
  /** Tells this process's notifications from those of others. */
  readonly sender: string;
  readonly leaseMs: number;
}

/** Each may have megabytes. */
const resealBatch = 10;

/** Every promise between processes is kept by row locks; see `#apply` for their order. */
export class PostgresStore implements Store {
  readonly operations: PostgresOperations;
  readonly audit: PostgresAudit;
  readonly #database: Database;
  readonly #ring: KeyRing;
  readonly #events: EventHub;
  readonly #transactions: Transactions;
  readonly #leaseMs: number;
  readonly #resources = new AsyncDisposableStack();

  constructor({ database, ring, events, sender, leaseMs }: PostgresStoreDeps) {
    this.#database = database;
    this.#ring = ring;
    this.#events = events;
    this.#transactions = new Transactions(database, events, sender);
    this.#leaseMs = leaseMs;
    this.audit = new PostgresAudit(database, this.#transactions, leaseMs);
    this.operations = new PostgresOperations(database, this.#transactions, this.audit);
  }

  async get(id: string): Promise<StoredDocument | undefined> {
    return await getDocument(this.#database, id);
  }

  async list(query: ListQuery): Promise<Page> {
    return await listDocuments(this.#database, query);
  }

  async write(change: Write): Promise<StoredDocument | undefined> {
    checkWrite(change);
    const prepared = await inSlices(prepareChanges(this.#ring, change));
    return await this.#transactions.run(async (sql, announce) => {
      const stored = await apply(sql, change, {
        changes: [prepared.document, ...prepared.also],
        operations: this.operations,
        announce,
      });
      await this.audit.insert(sql, change.audit ?? []);
      return stored;
    });
  }

  async secrets(id: string): Promise<Readonly<Record<string, JsonValue>>> {
    const key = toKey(id);
    const [row] = await this.#database.query<{ sealed: string | null }>("SELECT sealed FROM documents WHERE key = $1", [
      key,
    ]);
    return row === undefined || row.sealed === null ? {} : await inSlices(this.#ring.open(key, row.sealed));
  }

  /** One pass in the order of keys, so it ends even while others write. */
  async reseal(): Promise<number> {
    let count = 0;
    let last = "";
    for (;;) {
      const rows = await this.#database.query<{ key: string; sealed: string }>(
        `SELECT key, sealed FROM documents WHERE sealed_key_id <> $1 AND key > $2 ORDER BY key LIMIT ${resealBatch}`,
        [this.#ring.currentId, last],
      );
      for (const { key, sealed } of rows) {
        count += await this.#resealOne(key, sealed);
        last = key;
      }
      if (rows.length < resealBatch) {
        return count;
      }
    }
  }

  async eraseReplaced(): Promise<boolean> {
    return false;
  }

  subscribe(listener: (event: StoreEvent) => void): Disposable {
    return this.#events.subscribe(listener);
  }

  async ping(): Promise<void> {
    await this.#database.query("SELECT 1");
  }

  /** To be called every few seconds. */
  async keepTime(): Promise<void> {
    await this.#transactions.run((sql) => keepTime(sql, this.#leaseMs));
  }

  /** Closes `resource` together with the store. */
  own(resource: AsyncDisposable): void {
    this.#resources.use(resource);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }

  /** Whoever wrote since we read wins: their secrets are newer. The etag stays (see `etagOf`). */
  async #resealOne(key: string, sealed: string): Promise<number> {
    const again = await inSlices(this.#ring.seal(key, await inSlices(this.#ring.open(key, sealed))));
    const rows = await this.#database.query(
      "UPDATE documents SET sealed = $3, sealed_key_id = $4 WHERE key = $1 AND sealed = $2 RETURNING 1",
      [key, sealed, again, this.#ring.currentId],
    );
    return rows.length;
  }
}

interface ApplyParts {
  /** The main document's first, if there is one. */
  readonly changes: readonly (PreparedChange | undefined)[];
  readonly operations: PostgresOperations;
  readonly announce: Announce;
}

/**
 * Rows are locked in one order everywhere: the operation, those it has started or waits for, the document, what else
 * changes, what the guards look at, the audit trail. The document comes before the guards so that a removal and a
 * creation that needs the document cannot both succeed: one waits for the other and then sees what it did.
 */
async function apply(
  sql: Sql,
  change: Write,
  { changes, operations, announce }: ApplyParts,
): Promise<StoredDocument | undefined> {
  const awaited = change.park?.kind === "waiting" ? change.park.for : [];
  if (awaited.length > 0) {
    await serializeWaits(sql);
  }
  if (change.lease !== undefined) {
    await checkLease(sql, change.lease);
  }
  if (change.supersede !== undefined) {
    await supersedeOperation(sql, change.supersede, announce);
  }
  if (change.cancel !== undefined) {
    await cancelAwaited(sql, change.cancel, announce);
  }
  const running = awaited.length > 0 ? await lockRunning(sql, awaited) : [];
  let stored: StoredDocument | undefined;
  let isFurther = false;
  for (const [index, one] of changes.entries()) {
    const applied = await applyDocument(sql, one, announce);
    progressWith(applied.stored, change.lease).forEach(announce);
    isFurther ||= applied.isNew;
    stored = index === 0 ? applied.stored : stored;
  }
  for (const guard of change.guards ?? []) {
    await checkGuard(sql, guard);
  }
  if (change.lease !== undefined && change.outcome === undefined && isFurther) {
    await operations.noteFurther(sql, change.lease);
  }
  if (change.operation !== undefined) {
    await insertOperation(sql, change.operation, announce);
  }
  if (change.lease !== undefined && change.outcome !== undefined) {
    await finishOperation(sql, change.lease, change.outcome, announce);
  }
  if (change.lease !== undefined && change.park !== undefined) {
    const accepted = awaited.filter((id) => id === change.operation?.id);
    await parkOperation(sql, change.lease, change.park, [...new Set([...running, ...accepted])], announce);
  }
  return stored;
}

async function applyDocument(
  sql: Sql,
  change: PreparedChange | undefined,
  announce: Announce,
): Promise<{ readonly stored: StoredDocument | undefined; readonly isNew: boolean }> {
  const current = change && (await lockDocument(sql, change.id));
  if (change?.kind === "put") {
    const stored = await putDocument(sql, change.put, change.expect, current);
    announce({ kind: "document", type: stored.type.toLowerCase() });
    return { stored, isNew: stored.etag !== current?.etag };
  }
  if (change !== undefined) {
    await removeDocument(sql, change.id, change.expect, current);
    if (current !== undefined) {
      announce({ kind: "document", type: current.type_key });
    }
  }
  return { stored: undefined, isNew: false };
}
