import { type Clock, inSlices, type JsonValue, type Logger } from "@rad/core";
import type { EventHub } from "../events.ts";
import { toKey } from "../documents/keys.ts";
import { prepareChanges } from "../documents/prepared-put.ts";
import type { PreparedChange, PreparedChanges } from "../documents/prepared-put.ts";
import { checkWrite } from "../operations/check-write.ts";
import { progressWith } from "../operations/progress.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import type { ListQuery, Page, Recalled, Store, StoredDocument, StoreEvent, Write } from "../store.ts";
import { closeIntents, startUpkeep } from "../upkeep.ts";
import { SqliteAudit } from "./audit.ts";
import type { Database } from "./database.ts";
import { checkGuard, getDocument, listDocuments, putDocument, removeDocument } from "./documents.ts";
import { DocumentCache } from "../documents/document-cache.ts";
import { GroupCommit } from "./group-commit.ts";
import type { LogSync } from "./log-sync.ts";
import { SqliteOperations } from "./operations.ts";
import type { StoreTime } from "./store-time.ts";

export interface SqliteStoreDeps {
  readonly database: Database;
  readonly logSync: LogSync;
  readonly lock: Disposable;
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly events: EventHub;
  readonly log: Logger;
}

const upkeepEveryMs = 10_000;
const cachedCharacters = 8 * 1024 * 1024;
const cachedRows = 10_000;

/** A document that another key sealed. With `<>` the index would lead past all that are sealed again already. */
const anotherKey = `SELECT key, sealed FROM documents
  WHERE sealed_key_id IS NOT NULL AND (sealed_key_id < ?1 OR sealed_key_id > ?1) LIMIT 1`;

/** Reads answer at once from what is committed; writes go through `GroupCommit`. */
export class SqliteStore implements Store {
  readonly operations: SqliteOperations;
  readonly audit: SqliteAudit;
  readonly #database: Database;
  readonly #logSync: LogSync;
  readonly #lock: Disposable;
  readonly #ring: KeyRing;
  readonly #events: EventHub;
  readonly #time: StoreTime;
  readonly #writes: GroupCommit;
  readonly #upkeep: AsyncDisposable;
  readonly #cache = new DocumentCache(cachedCharacters, cachedRows);

  constructor(deps: SqliteStoreDeps) {
    this.#database = deps.database;
    this.#logSync = deps.logSync;
    this.#lock = deps.lock;
    this.#ring = deps.ring;
    this.#events = deps.events;
    this.#time = deps.time;
    this.#writes = new GroupCommit({
      database: deps.database,
      log: deps.logSync,
      emit: (events) => this.#events.emit(events),
      beforeCommit: () => deps.time.save(),
    });
    const parts = { database: deps.database, writes: this.#writes, clock: deps.clock, time: deps.time };
    this.audit = new SqliteAudit(parts);
    this.operations = new SqliteOperations(parts, this.audit);
    this.#upkeep = startUpkeep(upkeepEveryMs, async () => {
      await closeIntents(this.audit, deps.log);
      if (this.operations.hasOpen()) {
        await this.#writes.run(() => {}, "soon"); // any write saves the time, which the next start goes on from
      }
    });
  }

  async get(id: string): Promise<StoredDocument | undefined> {
    return getDocument(this.#database, this.#cache, id);
  }

  recall(id: string): Recalled {
    return { document: getDocument(this.#database, this.#cache, id), isCertain: true };
  }

  async list(query: ListQuery): Promise<Page> {
    return listDocuments(this.#database, query);
  }

  async write(change: Write): Promise<StoredDocument | undefined> {
    checkWrite(change);
    const preparing = inSlices(prepareChanges(this.#ring, change));
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    const { durability } = change;
    return await this.#writes.run((announce) => this.#apply(change, prepared, announce), durability, prepared.size);
  }

  async secrets(id: string): Promise<Readonly<Record<string, JsonValue>>> {
    const key = toKey(id);
    const row = this.#database.get<{ sealed: string | null }>("SELECT sealed FROM documents WHERE key = ?", [key]);
    return row === undefined || row.sealed === null ? {} : await inSlices(this.#ring.open(key, row.sealed));
  }

  async reseal(): Promise<number> {
    let count = 0;
    for (;;) {
      const row = this.#database.get<{ key: string; sealed: string }>(anotherKey, [this.#ring.currentId]);
      if (row === undefined) {
        return count;
      }
      count += await this.#resealOne(row.key, row.sealed);
    }
  }

  async eraseReplaced(): Promise<boolean> {
    this.#writes.flush();
    // VACUUM copies what is live; its pages go through the log, which holds older ones until it is cut off.
    this.#database.script("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
    return true;
  }

  subscribe(listener: (event: StoreEvent) => void): Disposable {
    return this.#events.subscribe(listener);
  }

  async now(): Promise<number> {
    return this.#time.now();
  }

  async ping(): Promise<void> {
    this.#database.get("SELECT 1");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#database.isOpen) {
      return;
    }
    const stopped = this.#upkeep[Symbol.asyncDispose]();
    this.#writes.flush();
    await stopped;
    this.#writes.runAtOnce(() => this.#time.save(0));
    this.#database.close();
    await this.#logSync[Symbol.asyncDispose]();
    this.#lock[Symbol.dispose]();
  }

  #apply(
    change: Write,
    { document, also }: PreparedChanges,
    announce: (event: StoreEvent) => void,
  ): StoredDocument | undefined {
    if (change.lease !== undefined) {
      this.operations.checkLease(change.lease);
    }
    if (change.supersede !== undefined) {
      this.operations.supersede(change.supersede, announce);
    }
    if (change.cancel !== undefined) {
      this.operations.cancelAwaited(change.cancel, announce);
    }
    const isCounted =
      change.lease !== undefined && change.outcome === undefined && !this.operations.isFurther(change.lease);
    let isFurther = false;
    let stored: StoredDocument | undefined;
    for (const one of [document, ...also]) {
      const before =
        isCounted && one?.kind === "put" ? getDocument(this.#database, this.#cache, one.id)?.etag : undefined;
      const applied = this.#applyDocument(one, announce);
      progressWith(applied, change.lease).forEach(announce);
      isFurther ||= applied !== undefined && applied.etag !== before;
      stored = one === document ? applied : stored;
    }
    for (const guard of change.guards ?? []) {
      checkGuard(this.#database, guard);
    }
    if (isCounted && isFurther) {
      this.operations.noteFurther(change.lease);
    }
    if (change.operation !== undefined) {
      this.operations.insert(change.operation, announce);
    }
    if (change.lease !== undefined && change.outcome !== undefined) {
      this.operations.finish(change.lease, change.outcome, announce);
    }
    if (change.lease !== undefined && change.park !== undefined) {
      this.operations.park(change.lease, change.park, announce);
    }
    this.audit.insert(change.audit ?? []);
    return stored;
  }

  #applyDocument(
    change: PreparedChange | undefined,
    announce: (event: StoreEvent) => void,
  ): StoredDocument | undefined {
    if (change !== undefined) {
      this.#cache.forget(toKey(change.id));
    }
    if (change?.kind === "put") {
      const stored = putDocument(this.#database, change.put, change.expect);
      announce({ kind: "document", type: stored.type.toLowerCase() });
      return stored;
    }
    const type = change && removeDocument(this.#database, change.id, change.expect);
    if (type !== undefined) {
      announce({ kind: "document", type });
    }
    return undefined;
  }

  /** A write since we read wins: its secrets are newer. The etag stays (see `etagOf`). */
  async #resealOne(key: string, sealed: string): Promise<number> {
    const { currentId } = this.#ring;
    const again = await inSlices(this.#ring.seal(key, await inSlices(this.#ring.open(key, sealed))));
    const sql = "UPDATE documents SET sealed = ?, sealed_key_id = ? WHERE key = ? AND sealed = ?";
    return await this.#writes.run(() => this.#database.run(sql, [again, currentId, key, sealed]), "now", sealed.length);
  }
}
