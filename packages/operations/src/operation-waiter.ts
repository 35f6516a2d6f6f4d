import { ResourceId } from "@rad/core";
import { type Operation, type Store, StoreError } from "@rad/store";

export interface OperationWaiterOptions {
  readonly store: Store;
  /** How long a wait goes on without looking, when nothing announces the end. */
  readonly pollMs?: number;
  /** Events only tell that something of a type has changed, so looking is put off until a few have come. */
  readonly gatherMs?: number;
}

interface Wait {
  readonly operationId: string;
  /** Lower case, as events have it. */
  readonly type: string;
  readonly promise: PromiseWithResolvers<Operation | undefined>;
}

const terminal: ReadonlySet<string> = new Set(["Succeeded", "Failed", "Canceled"]);

/**
 * Lets many wait for operations to end without each of them asking again and again. Three things make it look:
 * - the worker of this process tells that it has finished an operation (`finished`): at once.
 * - the store tells that a document of a waiting operation's type changed, here or in another process: soon after.
 * - a slow poll, in case an event was lost.
 */
export class OperationWaiter implements Disposable {
  readonly #store: Store;
  readonly #gatherMs: number;
  readonly #waits = new Map<string, Set<Wait>>();
  readonly #changedTypes = new Set<string>();
  /** Operations that are being looked at, and whether to look once more because something happened meanwhile. */
  readonly #looking = new Map<string, { again: boolean }>();
  readonly #cleanup = new DisposableStack();
  #gathering: NodeJS.Timeout | undefined;

  constructor({ store, pollMs = 1_000, gatherMs = 100 }: OperationWaiterOptions) {
    this.#store = store;
    this.#gatherMs = gatherMs;
    this.#cleanup.use(
      store.subscribe((event) => {
        if (event.kind === "document" && this.#waits.size > 0) {
          this.#changedTypes.add(event.type);
          this.#gathering ??= setTimeout(() => this.#lookAtChanged(), this.#gatherMs);
        }
      }),
    );
    const poll = setInterval(() => this.#look(() => true), pollMs);
    poll.unref();
    this.#cleanup.defer(() => {
      clearInterval(poll);
      clearTimeout(this.#gathering);
    });
  }

  /**
   * Resolves to the operation when it has ended, or `undefined` when nobody remembers it.
   * @throws the signal's reason when that aborts first.
   */
  async wait(operationId: string, resourceId: string, signal: AbortSignal): Promise<Operation | undefined> {
    signal.throwIfAborted();
    const type = ResourceId.parse(resourceId).type.toLowerCase();
    const wait: Wait = { operationId, type, promise: Promise.withResolvers() };
    const stop = (): void => wait.promise.reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    this.#add(wait);
    try {
      void this.#check(operationId); // it may have ended before anybody waited
      return await wait.promise.promise;
    } finally {
      this.#remove(wait);
      signal.removeEventListener("abort", stop);
    }
  }

  /** A worker of this process has finished an attempt at an operation. */
  finished(operationId: string): void {
    if (this.#waits.has(operationId)) {
      void this.#check(operationId);
    }
  }

  [Symbol.dispose](): void {
    this.#cleanup.dispose();
  }

  #lookAtChanged(): void {
    this.#gathering = undefined;
    const changed = new Set(this.#changedTypes);
    this.#changedTypes.clear();
    this.#look((type) => changed.has(type) || changed.has("*"));
  }

  #look(concerns: (type: string) => boolean): void {
    for (const [operationId, waits] of this.#waits) {
      if ([...waits].some((wait) => concerns(wait.type))) {
        void this.#check(operationId);
      }
    }
  }

  /** One look at a time, however many wait and whatever happens: looks must not pile up before a slow database. */
  async #check(operationId: string): Promise<void> {
    const underWay = this.#looking.get(operationId);
    if (underWay !== undefined) {
      underWay.again = true;
      return;
    }
    const look = { again: true };
    this.#looking.set(operationId, look);
    while (look.again && this.#waits.has(operationId)) {
      look.again = false;
      await this.#checkOnce(operationId);
    }
    this.#looking.delete(operationId);
  }

  async #checkOnce(operationId: string): Promise<void> {
    try {
      const operation = await this.#store.operations.get(operationId);
      if (operation === undefined || terminal.has(operation.state)) {
        this.#settle(operationId, (promise) => promise.resolve(operation));
      }
    } catch (error) {
      if (!(error instanceof StoreError && error.code === "Unavailable")) {
        this.#settle(operationId, (promise) => promise.reject(error));
      } // otherwise the next poll finds out
    }
  }

  #settle(operationId: string, settle: (promise: Wait["promise"]) => void): void {
    for (const wait of this.#waits.get(operationId) ?? []) {
      settle(wait.promise);
    }
  }

  #add(wait: Wait): void {
    const waits = this.#waits.get(wait.operationId) ?? new Set();
    this.#waits.set(wait.operationId, waits.add(wait));
  }

  #remove(wait: Wait): void {
    const waits = this.#waits.get(wait.operationId);
    waits?.delete(wait);
    if (waits?.size === 0) {
      this.#waits.delete(wait.operationId);
    }
  }
}
