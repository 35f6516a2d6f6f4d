import { isTerminal, ResourceId } from "@rad/core";
import { deploymentType, operationType, recordsOfRun, timestampOf } from "@rad/deployments";
import type { OperationWaiter } from "@rad/operations";
import type { Operation, Store, StoredDocument, StoreEvent } from "@rad/store";
import { describeOperation } from "../operation-statuses.ts";
import { eventBody } from "./event-text.ts";
import { RecordLog } from "./record-log.ts";

export interface OperationHubOptions {
  readonly store: Store;
  readonly waiter: OperationWaiter;
  readonly operation: Pick<Operation, "id" | "resourceId">;
  /** Something is new. */
  readonly onChange: () => void;
  /** The store cannot be read; the hub tells nothing more. */
  readonly onFailure: (error: unknown) => void;
}

/** How many spellings of the status id are kept ready. Callers choose it, so memory must not grow with what they think of. */
const mostStatusIds = 8;

/**
 * What is known of one operation, shared by everybody who follows it: however many they are, each change is read once.
 *
 *     loading ── all records were listed ──→ following ── the operation ended, all records were listed again ──→ ended
 *
 * A change that the store announces by the record's id is read by itself. When it cannot tell which records changed,
 * because events were lost or because there were too many, all are listed, and so they are at the end: whatever was
 * missed by then is in that list.
 */
export class OperationHub implements Disposable {
  readonly #options: OperationHubOptions;
  readonly #isDeployment: boolean;
  readonly #log: RecordLog;
  readonly #cleanup = new DisposableStack();
  /** Etags by the ids of records that are to be read, in the order in which they were announced. */
  readonly #changed = new Map<string, string>();
  /** By the id under which callers ask for it, whose casing and location are theirs. */
  readonly #statusChunks = new Map<string, Buffer>();
  #operation: Operation | undefined;
  #outcome: Operation | undefined;
  #statusText = "";
  #statusVersion = 0;
  #mustList: boolean;
  #isWorking = false;
  #isLoaded = false;

  constructor(options: OperationHubOptions) {
    const { store, waiter, operation } = options;
    this.#options = options;
    this.#log = new RecordLog(operation.id);
    this.#isDeployment = ResourceId.parse(operation.resourceId).type.toLowerCase() === deploymentType.toLowerCase();
    this.#mustList = this.#isDeployment;
    this.#cleanup.use(store.subscribe((event) => this.#hear(event)));
    this.#cleanup.use(waiter.watch(operation.id, (found) => this.#see(found)));
    this.#work();
  }

  /** Grows with every change of the status; 0 until it is known. */
  get statusVersion(): number {
    return this.#statusVersion;
  }

  /** Whether everything that has happened before somebody followed is in `records`. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Whether nothing changes any more: neither the status nor a record. */
  get hasEnded(): boolean {
    return this.#operation !== undefined && isTerminal(this.#operation.state);
  }

  get records(): Pick<RecordLog, "next" | "position"> {
    return this.#log;
  }

  /** The event without its id. */
  statusChunk(statusId: string): Buffer {
    const known = this.#statusChunks.get(statusId);
    if (known !== undefined || this.#operation === undefined) {
      return known ?? Buffer.alloc(0);
    }
    const chunk = Buffer.from(eventBody("status", describeOperation(statusId, this.#operation)));
    if (this.#statusChunks.size >= mostStatusIds) {
      this.#statusChunks.clear();
    }
    this.#statusChunks.set(statusId, chunk);
    return chunk;
  }

  [Symbol.dispose](): void {
    this.#cleanup.dispose();
  }

  #hear(event: StoreEvent): void {
    const { id } = this.#options.operation;
    if (!this.#isDeployment) {
      return;
    }
    if (event.kind === "progress" && event.operationId === id && event.document !== undefined) {
      if (event.document === "*") {
        this.#mustList = true;
      } else if (isRecord(event.document.id)) {
        this.#changed.delete(event.document.id);
        this.#changed.set(event.document.id, event.document.etag);
      }
      this.#work();
    } else if (event.kind === "document" && event.type === "*") {
      this.#mustList = true;
      this.#work();
    }
  }

  #see(operation: Operation): void {
    if (this.#outcome !== undefined) {
      return;
    }
    if (isTerminal(operation.state)) {
      this.#outcome = operation;
      this.#mustList = this.#isDeployment;
      this.#work();
    } else {
      this.#show(operation);
    }
  }

  #show(operation: Operation): void {
    const text = JSON.stringify(describeOperation("", operation));
    if (text !== this.#statusText) {
      this.#operation = operation;
      this.#statusText = text;
      this.#statusVersion += 1;
      this.#statusChunks.clear();
      this.#options.onChange();
    }
  }

  /** One read at a time: what is told meanwhile is read next, and what changes twice perhaps once. */
  #work(): void {
    if (this.#isWorking || this.#cleanup.disposed) {
      return;
    }
    this.#isWorking = true;
    // Not before all events of a commit were heard: the end of an operation makes reading single records needless.
    setImmediate(() => {
      this.#readAll().catch((error: unknown) => {
        if (!this.#cleanup.disposed) {
          this.#options.onFailure(error);
        }
      });
    });
  }

  async #readAll(): Promise<void> {
    while (!this.#cleanup.disposed) {
      const [next] = this.#changed;
      if (this.#mustList) {
        await this.#list();
      } else if (next !== undefined) {
        await this.#read(...next);
      } else {
        break;
      }
    }
    this.#isWorking = false;
    if (!this.#isLoaded) {
      this.#isLoaded = true;
      this.#options.onChange();
    }
    if (this.#outcome !== undefined && !this.hasEnded) {
      this.#show(this.#outcome);
    }
  }

  async #list(): Promise<void> {
    this.#mustList = false;
    this.#changed.clear();
    const isOver = this.#outcome !== undefined;
    let found = await this.#walk();
    if (!isOver && found.latest > found.settled) {
      // What was seen by now is complete up to the latest of it, once everything is looked at again.
      found = { ...(await this.#walk()), settled: found.latest };
    }
    const { records, latest, settled } = found;
    const added = records
      .toSorted((a, b) => (timestampOf(a) < timestampOf(b) ? -1 : 1))
      .filter((record) => this.#log.add(record, timestampOf(record) <= (isOver ? latest : settled)));
    if (added.length > 0 || !this.#isLoaded) {
      this.#isLoaded = true;
      this.#options.onChange();
    }
  }

  /**
   * All records, a page at a time. Others may change meanwhile: only up to the latest time in the first page, `settled`,
   * is every change among them for certain, because times are in the order of the commits.
   */
  async #walk(): Promise<{ readonly records: StoredDocument[]; readonly latest: string; readonly settled: string }> {
    const { store, operation } = this.#options;
    const records: StoredDocument[] = [];
    let latest = "";
    let settled: string | undefined;
    for await (const page of recordsOfRun(store, operation.resourceId, operation.id)) {
      records.push(...page);
      latest = page.map(timestampOf).reduce((one, other) => (one > other ? one : other), latest);
      settled ??= latest;
    }
    return { records, latest, settled: settled ?? latest };
  }

  /** A version that nobody announced yet is left for later, so that the log stays in the order of the commits. */
  async #read(id: string, etag: string): Promise<void> {
    this.#changed.delete(id);
    const record = await this.#options.store.get(id);
    const isAnnounced = record?.operationId === this.#options.operation.id && record.etag === etag;
    if (isAnnounced && this.#log.add(record, true)) {
      this.#options.onChange();
    }
  }
}

/** Nested deployments belong to the operation as well, but only records are told. */
function isRecord(id: string): boolean {
  return ResourceId.tryParse(id)?.type.toLowerCase() === operationType.toLowerCase();
}
