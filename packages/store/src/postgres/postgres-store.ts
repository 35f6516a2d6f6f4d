import { inSlices, type JsonValue } from "@rad/core";
import { checkExpectation, guardFailed } from "../documents/conditions.ts";
import { Document, documentColumns, type DocumentRow, etagOfReprinted } from "../documents/document.ts";
import { DocumentCache } from "../documents/document-cache.ts";
import { toKey } from "../documents/keys.ts";
import { completePut, prepareChanges } from "../documents/prepared-put.ts";
import type { PreparedChange } from "../documents/prepared-put.ts";
import type { EventHub } from "../events.ts";
import { checkWrite } from "../operations/check-write.ts";
import { leaseLost } from "../operations/leases.ts";
import { refuseCycle, type WaitEdge } from "../operations/wait-cycle.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import type { Lease, ListQuery, Page, Recalled, Store, StoredDocument, StoreEvent, Write } from "../store.ts";
import { PostgresAudit } from "./audit.ts";
import type { Database } from "./database.ts";
import { listDocuments, readIndented } from "./documents.ts";
import { keepTime } from "./keep-time.ts";
import { PostgresOperations } from "./operations.ts";
import { Reads } from "./reads.ts";
import { type Applied, Refused, SharedWrites } from "./shared-writes.ts";
import { changeItem, type ChangeItem, fixedParts, type Reprint } from "./write-item.ts";

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

/** Characters of documents that are remembered. */
const mostRemembered = 8 * 2 ** 20;

/** Every promise between processes is kept by row locks; see `writeFunctions` for their order. */
export class PostgresStore implements Store {
  readonly operations: PostgresOperations;
  readonly audit: PostgresAudit;
  readonly #database: Database;
  readonly #ring: KeyRing;
  readonly #events: EventHub;
  readonly #writes: SharedWrites;
  readonly #reads: Reads<DocumentRow & { readonly key: string }>;
  /** As they were when this process last saw them; others may have changed them since. */
  readonly #remembered = new DocumentCache(mostRemembered);
  /** Leases under which something new was stored. */
  readonly #further = new WeakSet<Lease>();
  readonly #leaseMs: number;
  readonly #resources = new AsyncDisposableStack();

  constructor({ database, ring, events, sender, leaseMs }: PostgresStoreDeps) {
    this.#database = database;
    this.#ring = ring;
    this.#events = events;
    this.#leaseMs = leaseMs;
    this.#reads = new Reads(database, `SELECT key, ${documentColumns} FROM documents`, "key");
    this.#writes = this.#resources.use(new SharedWrites(database, events, sender));
    this.audit = new PostgresAudit(database, this.#writes, leaseMs);
    this.operations = new PostgresOperations({
      database,
      writes: this.#writes,
      audit: this.audit,
      events,
      sender,
      onFound: (id, etag) => this.#confirm(toKey(id), etag),
    });
  }

  async get(id: string): Promise<StoredDocument | undefined> {
    const key = toKey(id);
    const row = await this.#reads.get(key);
    this.#remember(key, row);
    return row && new Document(row);
  }

  recall(id: string): Recalled {
    const row = this.#remembered.get(toKey(id));
    return { document: row && new Document(row), isCertain: false };
  }

  async list(query: ListQuery): Promise<Page> {
    return await listDocuments(this.#database, query);
  }

  async write(change: Write): Promise<StoredDocument | undefined> {
    checkWrite(change);
    const preparing = inSlices(prepareChanges(this.#ring, change));
    const { document, also, size } = preparing instanceof Promise ? await preparing : preparing;
    const changes = document === undefined ? also : [document, ...also];
    const reprints = new Map<number, Reprint>();
    for (;;) {
      try {
        const [stored] = await this.#apply(change, { changes, reprints, size });
        return document === undefined ? undefined : stored;
      } catch (error) {
        changes.forEach(({ id }) => this.#remembered.forget(toKey(id)));
        if (!(error instanceof Refused)) {
          throw error;
        }
        const place = placeOfReprint(error, change);
        reprints.set(place, await this.#reprint(changes[place]));
      }
    }
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

  async now(): Promise<number> {
    const [row] = await this.#database.query<{ now: number }>(
      "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now",
    );
    return Math.floor(row?.now ?? 0);
  }

  async ping(): Promise<void> {
    await this.#database.query("SELECT 1");
  }

  /** To be called every few seconds. */
  async keepTime(): Promise<void> {
    await this.#database.transaction((sql) => keepTime(sql, this.#leaseMs));
  }

  /** Closes `resource` together with the store. */
  own(resource: AsyncDisposable): void {
    this.#resources.use(resource);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }

  /** @returns the documents that it put, `undefined` in the place of those it removed. @throws Refused, StoreError */
  async #apply(
    change: Write,
    { changes, reprints, size }: WriteParts,
  ): Promise<readonly (StoredDocument | undefined)[]> {
    const { lease, outcome, audit } = change;
    const isFirst = lease !== undefined && outcome === undefined && !this.#further.has(lease);
    const fixed = fixedParts(change);
    let items: readonly ChangeItem[] = [];
    const applied = await this.#writes.run({
      item: () => {
        items = changes.map((each, index) => changeItem(each, reprints.get(index)));
        return {
          ...fixed,
          changes: items,
          isFirst: isFirst ? true : undefined,
          audit: audit && this.audit.items(audit),
        };
      },
      operationId: lease?.operationId,
      types: changes.flatMap((each) => (each.kind === "put" ? [each.put.input.type.toLowerCase()] : [])),
      size,
    });
    if (isFirst && applied.isFurther) {
      this.#further.add(lease);
    }
    return items.map((item, index) => this.#stored(item, applied.changes[index], changes[index]));
  }

  #stored(
    item: ChangeItem,
    { id = "", type = "", etag = "" }: Applied["changes"][number] = {},
    change: PreparedChange | undefined,
  ): StoredDocument | undefined {
    if ("remove" in item) {
      this.#remembered.forget(item.key);
      return undefined;
    }
    const { apiVersion, operationId = null, body } = item;
    const row = { id, type, api_version: apiVersion, etag, operation_id: operationId, body };
    this.#remember(item.key, row);
    const isAsPrepared = change?.kind === "put" && change.put.inTurn === undefined;
    return new Document(row, isAsPrepared ? change.put.input.body : undefined);
  }

  /** What a document has to be called that replaces one with indentation. */
  async #reprint(change: PreparedChange | undefined): Promise<Reprint> {
    const row = change?.kind === "put" ? await readIndented(this.#database, change.id) : undefined;
    if (change?.kind !== "put" || row === undefined) {
      return { over: "", etag: undefined };
    }
    const { input, body, sealed, inTurn } = completePut(change.put);
    const text = sealed === "keep" ? row.sealed : sealed.text;
    return { over: row.etag, etag: inTurn === undefined ? etagOfReprinted(row, input, body, text) : undefined };
  }

  #remember(key: string, row: DocumentRow | undefined): void {
    if (row === undefined) {
      this.#remembered.forget(key);
    } else if (this.#remembered.get(key)?.etag !== row.etag) {
      this.#remembered.add(key, row);
    }
  }

  /** The database has this version. */
  #confirm(key: string, etag: string | null): void {
    if (this.#remembered.get(key)?.etag !== etag) {
      this.#remembered.forget(key);
    }
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

interface WriteParts {
  /** The main document's first, if there is one. */
  readonly changes: readonly PreparedChange[];
  readonly reprints: ReadonlyMap<number, Reprint>;
  readonly size: number;
}

/** @throws StoreError for every refusal but the one that asks for a reprint. */
function placeOfReprint({ reason, detail }: Refused, change: Write): number {
  const { document, also = [], guards = [], lease, park } = change;
  const changes = document === undefined ? also : [document, ...also];
  if (reason === "LeaseLost" && lease !== undefined) {
    throw leaseLost(lease);
  }
  if (reason === "EtagMismatch") {
    const { place, etag } = detail as { readonly place: number; readonly etag: string | null };
    const refused = changes[place];
    if (refused !== undefined) {
      checkExpectation(refused.kind === "put" ? refused.input.id : refused.id, refused.expect, etag ?? undefined);
    }
  }
  const guard = reason === "GuardFailed" ? guards[detail as number] : undefined;
  if (guard !== undefined) {
    throw guardFailed(guard);
  }
  if (reason === "WaitCycle" && lease !== undefined && park?.kind === "waiting") {
    const edges = (detail as readonly WaitEdge[]).filter(({ source }) => source !== "");
    refuseCycle(lease.operationId, park.for, edges);
  }
  if (reason !== "Reprint") {
    throw new Error(`PostgreSQL refused a write as ${reason}.`);
  }
  return detail as number;
}
