import type { ErrorDetail, JsonObject, JsonValue } from "@rad/core";

/**
 * Where the control plane keeps everything that must survive a crash. SQLite and PostgreSQL implement it and pass one
 * contract suite. The atomic unit is a `Write`: a document, what else changes with it, its operation and its audit records.
 */
export interface Store extends AsyncDisposable {
  readonly operations: OperationStore;
  readonly audit: AuditStore;

  get(id: string): Promise<StoredDocument | undefined>;

  /** What is known of a document without asking the database. */
  recall(id: string): Recalled;

  list(query: ListQuery): Promise<Page>;

  /**
   * Applies all of `change` or none of it, and resolves once it is durable.
   * Resolves to the document as stored, or `undefined` when the change removed it or had none.
   * @throws StoreError
   */
  write(change: Write): Promise<StoredDocument | undefined>;

  /** The sealed values of a document in clear, by JSON pointer below the body (`/properties/password`). */
  secrets(id: string): Promise<Readonly<Record<string, JsonValue>>>;

  /** Seals again with the current key whatever an older key sealed; resolves to the number of documents rewritten. */
  reseal(): Promise<number>;

  /**
   * Rewrites the database's files without what was replaced or removed, which databases otherwise keep until they need
   * the space. Resolves to `false` where the files belong to a database server, whose operator has to do it.
   */
  eraseReplaced(): Promise<boolean>;

  /** Calls back after a commit here, and where several processes share the store, soon after one elsewhere. */
  subscribe(listener: (event: StoreEvent) => void): Disposable;

  /**
   * Store time in milliseconds, the same for all processes that share the store: for the ends of leases that documents
   * hold. It does not follow this machine's wall clock; see decision 0024.
   */
  now(): Promise<number>;

  /** Resolves when the store answers. @throws StoreError `Unavailable` */
  ping(): Promise<void>;
}

/**
 * - `work`: an operation may be ready to take, or `count` of them.
 * - `progress`: the steps of an operation changed; with `document`, not the steps but a document that belongs to the
 *   operation and was put under its lease. Those of one operation are told in the order of their commits.
 * - `ended`: an operation has its outcome.
 * - `document`: a document of this lower-cased type was written or removed; `*` after a gap in which events were lost.
 */
export type StoreEvent =
  | { readonly kind: "work"; readonly queue: string; readonly count?: number }
  | { readonly kind: "cancel"; readonly operationId: string }
  | { readonly kind: "progress"; readonly operationId: string; readonly document?: PutDocument | "*" }
  | { readonly kind: "ended"; readonly operationId: string }
  | { readonly kind: "document"; readonly type: string };

/** Which version of which document; `*` in its place stands for more of them than one event can name. */
export interface PutDocument {
  readonly id: string;
  readonly etag: string;
}

// --- documents -------------------------------------------------------------------------------------------------

export interface DocumentInput {
  /** Casing is kept as given at the first write; look-ups ignore it. */
  readonly id: string;
  readonly type: string;
  readonly apiVersion: string;
  /** What readers are shown, stored in wire form (JSON without white space). Sensitive members are `null` here. */
  readonly body: JsonObject;
  /** Values to seal, by JSON pointer below the body. `keep` leaves those already stored. */
  readonly secrets: Readonly<Record<string, JsonValue>> | "keep";
  /** The operation that is working on the document, while one is. */
  readonly operationId?: string | undefined;
}

export interface StoredDocument {
  readonly id: string;
  readonly type: string;
  readonly apiVersion: string;
  /** `32-` and the SHA-256 of what is stored; changes with every write that changes anything. */
  readonly etag: string;
  readonly operationId: string | undefined;
  /** Of its text and its sealed values; only where it was listed `withoutBodies`. */
  readonly bytes?: number;
  /** The stored text, ready to send. */
  readonly json: string;
  /** `json` parsed, on first use. Callers own the result only if they copy it. */
  readonly body: JsonObject;
  /** Parses `json` in slices, so that `body` is there at once. A promise for large documents only. */
  parsed(): JsonObject | Promise<JsonObject>;
}

/**
 * A document as this process last saw it, or `undefined` for one that it has not seen lately. Unless that is certain, it
 * may be outdated or there after all: good for a write that expects just this version, which is refused otherwise, and
 * no reason to refuse anything.
 */
export interface Recalled {
  readonly document: StoredDocument | undefined;
  readonly isCertain: boolean;
}

export interface ListQuery {
  /** Exact type, any case; absent for every type. */
  readonly type?: string;
  /** Documents whose id lies below this id or scope, at any depth. */
  readonly under: string;
  /** Only documents at exactly this scope: `{under}/providers/…`, not those of scopes nested in it. */
  readonly directly?: boolean;
  /** Only top-level resources (one type segment). */
  readonly topLevel?: boolean;
  /** Resume after this token (from `Page.next`). @throws StoreError `InvalidToken` for anything else. */
  readonly after?: string;
  /** Absent for all. */
  readonly limit?: number;
  /**
   * How many bytes of text the page may have; the next document then begins the next page. One that is larger than this is a
   * page of its own.
   */
  readonly maxBytes?: number;
  /** Leaves the texts in the database: `json` is `{}` for every document. */
  readonly withoutBodies?: boolean;
}

export interface Page {
  readonly items: readonly StoredDocument[];
  /** Present when more follow. */
  readonly next?: string;
}

export interface DocumentPut {
  readonly kind: "put";
  readonly input: DocumentInput;
  /**
   * Completes the body once all writes that come before this one under the same lease have been applied, so that what it
   * adds is in the order of the commits. Called again when the transaction has to be repeated.
   */
  readonly inTurn?: (body: JsonObject) => JsonObject;
  readonly expect: Expectation;
}

export interface DocumentRemove {
  readonly kind: "remove";
  readonly id: string;
  readonly expect: Expectation;
}

export type DocumentChange = DocumentPut | DocumentRemove;

export interface Write {
  readonly document?: DocumentChange;
  /** Further documents that change with it, such as records of what is done. Each is locked after `document`. */
  readonly also?: readonly DocumentChange[];
  /** Conditions on other documents as they are after the change, held until the transaction commits. */
  readonly guards?: readonly Guard[];
  /** Accepts an operation together with the document. */
  readonly operation?: NewOperation;
  /** Ends this operation as `Canceled` and fences its worker off. */
  readonly supersede?: string;
  /** The write belongs to a leased operation: refused with `LeaseLost` unless the lease still holds. */
  readonly lease?: Lease;
  /** Ends the operation of `lease`. */
  readonly outcome?: OperationOutcome;
  /** Asks what an operation has started to stop as well. */
  readonly cancel?: CancelRequest;
  /** Parks the operation of `lease` and voids the lease. @throws StoreError `WaitCycle` */
  readonly park?: Park;
  readonly audit?: readonly AuditRecord[];
  /** `now` unless it says otherwise. */
  readonly durability?: Durability;
}

/** Concerns the operations of a queue that name another one in `awaitedBy`, as `requestCancel` does a single one. */
export interface CancelRequest {
  readonly awaitedBy: string;
  readonly queue: string;
  readonly reason: string;
}

/**
 * When the disk has it: before anybody hears of it, or a moment later, and not after the next write that has to be
 * there. The death of this process loses neither. A power cut may take the last writes of the second kind together,
 * never one without those after it, so it will do for steps of something that goes on by itself from whatever is left.
 * A database that can lose them while this process lives treats both alike.
 */
export type Durability = "now" | "soon";

/** What the writer believes about the document: this etag, absent, or anything at all. */
export type Expectation = { readonly etag: string } | "absent" | "any";

export type Guard =
  /** The document exists and, when given, still has this etag. */
  | { readonly kind: "exists"; readonly id: string; readonly etag?: string }
  /** Nothing is stored below the id. The ids in `except` (any case) do not count: what the same write removes. */
  | { readonly kind: "empty"; readonly under: string; readonly except?: readonly string[] }
  /** No document of the type, or of any type of the namespace when it ends in `/`, exists below the scope. */
  | { readonly kind: "noInstances"; readonly type: string; readonly under: string };

export type StoreErrorCode =
  /** The document is not what `expect` said. */
  | "EtagMismatch"
  | "GuardFailed"
  | "LeaseLost"
  /** The operation would wait for itself, directly or through others. */
  | "WaitCycle"
  | "InvalidToken"
  /** The database cannot be reached or refuses connections; later may work. */
  | "Unavailable"
  /** No space, or the files cannot be written. */
  | "NotWritable"
  /** Another process has the database file, the schema is newer, the key is missing or wrong: do not start. */
  | "CannotOpen";

export interface StoreErrorOptions {
  readonly guard?: Guard;
  readonly path?: readonly string[];
  readonly cause?: unknown;
}

export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  /** For `GuardFailed`: which one. */
  readonly guard: Guard | undefined;
  /** For `WaitCycle`: ids of operations, each waiting for the next; the first is the last as well. */
  readonly path: readonly string[];

  constructor(code: StoreErrorCode, message: string, options: StoreErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.guard = options.guard;
    this.path = options.path ?? [];
  }
}

// --- operations ------------------------------------------------------------------------------------------------

export type OperationState = "Accepted" | "Updating" | "Succeeded" | "Failed" | "Canceled";

export interface NewOperation {
  /** A UUID in lower case. */
  readonly id: string;
  readonly resourceId: string;
  /** `put`, `delete`, or a name that some later handler knows. */
  readonly kind: string;
  readonly apiVersion: string;
  readonly queue: string;
  readonly timeoutMs: number;
  /** The subject of who asked; shown in audit records. */
  readonly caller: string;
  /** Who asked, as the host describes them: kind, subject, groups; never a token. */
  readonly identity?: JsonObject | undefined;
  readonly correlationId: string;
  readonly traceparent?: string | undefined;
  /** What the handler needs beyond the document; never a secret. */
  readonly input?: JsonValue;
  /** An operation that waits for this one in memory, without being parked. Counts when circles are looked for. */
  readonly awaitedBy?: string | undefined;
}

type OptionalOnOperation = "traceparent" | "input" | "identity" | "awaitedBy";

export interface Operation extends Required<Omit<NewOperation, "timeoutMs" | OptionalOnOperation>> {
  readonly traceparent: string | undefined;
  readonly input: JsonValue | undefined;
  readonly identity: JsonObject | undefined;
  readonly awaitedBy: string | undefined;
  readonly state: OperationState;
  /** How often a worker has started it; hand-backs, parking and the death of its process do not count. */
  readonly attempt: number;
  readonly steps: readonly OperationStep[];
  readonly error: ErrorDetail | undefined;
  /** Why it should stop, once somebody asked. */
  readonly cancelReason: string | undefined;
  readonly createdAt: Date;
  readonly startedAt: Date | undefined;
  readonly endedAt: Date | undefined;
  /** When the attempts began whose process died, since one ended otherwise or stored something new. */
  readonly deaths: readonly Date[];
}

export interface OperationStep {
  readonly name: string;
  readonly state: "Running" | "Succeeded" | "Failed" | "Canceled";
  readonly startTime: string;
  readonly endTime?: string;
  /** Why it failed. */
  readonly message?: string;
  /** What it is doing at the moment. */
  readonly detail?: string;
  /** How much of it is done, from 0 to 1. */
  readonly share?: number;
  readonly steps?: readonly OperationStep[];
  /** The entry stands for so many earlier steps, which are not kept one by one any more. */
  readonly folded?: number;
}

/** Proof of the right to work on an operation. A later fence, from a take-over or a hand-back, makes it void. */
export interface Lease {
  readonly operationId: string;
  readonly owner: string;
  readonly fence: number;
}

export interface LeasedOperation {
  readonly operation: Operation;
  readonly lease: Lease;
  /** Until the deadline; not positive when that has passed. */
  readonly timeLeftMs: number;
}

export interface OperationOutcome {
  readonly state: "Succeeded" | "Failed" | "Canceled";
  readonly error?: ErrorDetail;
}

/**
 * Puts an operation aside without counting the attempt.
 * - `again`: until `afterMs` have passed.
 * - `waiting`: until all these operations have ended, however. Those that have ended already or are unknown do not
 *   count; when none is left, the operation is ready at once.
 *
 * Cancellation and the deadline make a parked operation ready at once.
 */
export type Park =
  | { readonly kind: "again"; readonly afterMs: number }
  | { readonly kind: "waiting"; readonly for: readonly string[] };

/**
 * A named queue. `concurrency` holds across all processes that share the store; absent, only the workers' own slots
 * bound it; parked operations do not count. `fifo`: nothing overtakes, not even while the head waits for its next attempt or
 * is parked, so that an operation of such a queue must not wait for a later one of the same queue.
 */
export interface QueueRule {
  readonly name: string;
  readonly concurrency?: number;
  readonly fifo?: boolean;
}

export interface OperationStore {
  get(id: string): Promise<Operation | undefined>;

  /** Newest first. */
  listFor(resourceId: string, limit: number): Promise<readonly Operation[]>;

  /**
   * Leases the oldest operation that is ready in one of `queues`, and counts an attempt. One whose deadline has passed
   * or whose cancellation was requested is ready at once, whatever the queue's limit and its back-off say, so that
   * somebody can end it. A lease that ran out makes its operation ready again.
   */
  take(request: TakeRequest): Promise<LeasedOperation | undefined>;

  /** Extends the lease. @throws StoreError `LeaseLost` */
  renew(lease: Lease, leaseMs: number): Promise<{ readonly cancelReason: string | undefined }>;

  /**
   * Stores progress, with the durability `soon`: what a power cut takes of it, the next attempt tells again.
   * @param isFurther no attempt came as far as this; see `Operation.deaths`
   * @throws StoreError `LeaseLost`
   */
  progress(lease: Lease, steps: readonly OperationStep[], isFurther?: boolean): Promise<void>;

  /** Puts the operation back, to be tried again after `delayMs`. @throws StoreError `LeaseLost` */
  retryLater(lease: Lease, delayMs: number, error: ErrorDetail): Promise<void>;

  /** Puts the operation back untouched; the attempt does not count. @throws StoreError `LeaseLost` */
  handBack(lease: Lease): Promise<void>;

  /**
   * The lease ran out, because the store was away or the process stood still, and yet the process lives: whoever has taken
   * the operation since must not count a death.
   */
  outlive(lease: Lease): Promise<void>;

  /** Asks the worker to stop, and records that; `false`, without a record, when the operation is unknown or has ended. */
  requestCancel(id: string, reason: string, audit?: readonly AuditRecord[]): Promise<boolean>;

  /** Removes operations that ended longer ago; resolves to their number. */
  prune(olderThanMs: number): Promise<number>;

  /** Waiting, running and parked operations per queue. */
  depths(): Promise<readonly QueueDepth[]>;

  /**
   * Milliseconds until the next operation of these queues becomes ready by time alone: the end of its back-off, of
   * `again`, or its deadline while it is parked. What is ready already does not count.
   */
  dueInMs(queues: readonly string[]): Promise<number | undefined>;
}

export interface TakeRequest {
  readonly owner: string;
  readonly leaseMs: number;
  readonly queues: readonly QueueRule[];
}

export interface QueueDepth {
  readonly queue: string;
  /** Ready, or between two attempts. */
  readonly waiting: number;
  readonly running: number;
  readonly parked: number;
}

// --- audit -----------------------------------------------------------------------------------------------------

/** Who wanted what on which target. Never a value out of a body. */
export interface AuditRecord {
  readonly phase: "intent" | "outcome" | "refusal";
  readonly time: Date;
  readonly caller: string;
  /** What was done or tried, such as `Applications.Core/containers/write` or `…/delete`. */
  readonly action: string;
  readonly target: string;
  readonly apiVersion: string;
  readonly correlationId: string;
  readonly operationId?: string | undefined;
  /** HTTP status of a refusal or a synchronous outcome. */
  readonly status?: number | undefined;
  /** `Succeeded`, `Failed`, `Canceled`, `Unknown`, or the error code of a refusal. */
  readonly result?: string | undefined;
  /**
   * Ties an intent to an outcome that comes with a later write: the intent is *open* until then. The operation that the
   * record names works on it, or else this process; once they are gone, the store adds the outcome `Unknown`. An intent
   * that is open already is not recorded again, nor is an outcome whose intent is not open.
   */
  readonly intentId?: string | undefined;
}

export interface StoredAuditRecord extends AuditRecord {
  /** Grows with every record of the store. */
  readonly sequence: number;
}

export interface AuditStore {
  append(records: readonly AuditRecord[]): Promise<void>;
  /** This process will not bring the outcome of an open intent. */
  abandon(intentId: string): void;
  /**
   * Ends open intents whose process or operation is gone as `Unknown`, and resolves to their number. The store does this by
   * itself, when it is opened and every few seconds.
   */
  closeAbandoned(): Promise<number>;
  /** Oldest first, those after `after`. */
  list(query: { readonly after?: number; readonly limit: number }): Promise<readonly StoredAuditRecord[]>;
  prune(olderThanMs: number): Promise<number>;
}
