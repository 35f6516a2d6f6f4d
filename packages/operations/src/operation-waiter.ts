import { isTerminal } from "@rad/core";
import { type Operation, type Store, StoreError } from "@rad/store";

export interface OperationWaiterOptions {
  readonly store: Store;
  /** How long a wait goes on without looking, when nothing announces the end. */
  readonly pollMs?: number;
}

/** Those who want to know about one operation. */
interface Audience {
  readonly waits: Set<PromiseWithResolvers<Operation | undefined>>;
  readonly listeners: Set<(operation: Operation) => void>;
  /** It is being looked at; `again` because something happened meanwhile. */
  look: { again: boolean } | undefined;
}

/**
 * Lets many wait for operations without each of them asking again and again. It looks at an operation when the store
 * tells that it ended, here or in another process, or got on, for those who watch it. A slow poll makes up for events
 * that were lost.
 */
export class OperationWaiter implements Disposable {
  readonly #store: Store;
  readonly #audiences = new Map<string, Audience>();
  readonly #cleanup = new DisposableStack();

  constructor({ store, pollMs = 1_000 }: OperationWaiterOptions) {
    this.#store = store;
    this.#cleanup.use(
      store.subscribe((event) => {
        if (event.kind === "ended") {
          this.#look(event.operationId);
        } else if (event.kind === "progress" && event.document === undefined) {
          this.#lookForListeners(event.operationId);
        } else if (event.kind === "document" && event.type === "*") {
          this.#lookAtAll();
        }
      }),
    );
    const poll = setInterval(() => this.#lookAtAll(), pollMs);
    poll.unref();
    this.#cleanup.defer(() => clearInterval(poll));
  }

  /**
   * Resolves to the operation when it has ended, or `undefined` when nobody remembers it.
   * @throws the signal's reason when that aborts first.
   */
  async wait(operationId: string, signal: AbortSignal): Promise<Operation | undefined> {
    signal.throwIfAborted();
    const wait = Promise.withResolvers<Operation | undefined>();
    const stop = (): void => wait.reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    this.#audience(operationId).waits.add(wait);
    try {
      this.#look(operationId); // it may have ended before anybody waited
      return await wait.promise;
    } finally {
      this.#leave(operationId, ({ waits }) => waits.delete(wait));
      signal.removeEventListener("abort", stop);
    }
  }

  /**
   * Calls back with the operation as it is now, and when it got on or ended, until the result is disposed of. Not every
   * step on the way is seen, the last one is.
   */
  watch(operationId: string, listener: (operation: Operation) => void): Disposable {
    // A wrapper of its own, so that one function may watch twice.
    const entry = (operation: Operation): void => listener(operation);
    this.#audience(operationId).listeners.add(entry);
    this.#look(operationId);
    return { [Symbol.dispose]: () => this.#leave(operationId, ({ listeners }) => listeners.delete(entry)) };
  }

  [Symbol.dispose](): void {
    this.#cleanup.dispose();
  }

  #lookForListeners(operationId: string): void {
    if ((this.#audiences.get(operationId)?.listeners.size ?? 0) > 0) {
      this.#look(operationId);
    }
  }

  #lookAtAll(): void {
    for (const operationId of this.#audiences.keys()) {
      this.#look(operationId);
    }
  }

  /** One look at a time, however many wait and whatever happens: looks must not pile up before a slow database. */
  #look(operationId: string): void {
    const audience = this.#audiences.get(operationId);
    if (audience?.look !== undefined) {
      audience.look.again = true;
    } else if (audience !== undefined) {
      void this.#lookAgain(operationId, audience, (audience.look = { again: true }));
    }
  }

  async #lookAgain(operationId: string, audience: Audience, look: { again: boolean }): Promise<void> {
    while (look.again && this.#audiences.get(operationId) === audience) {
      look.again = false;
      await this.#lookOnce(operationId, audience);
    }
    audience.look = undefined;
  }

  async #lookOnce(operationId: string, { waits, listeners }: Audience): Promise<void> {
    try {
      const operation = await this.#store.operations.get(operationId);
      if (operation === undefined || isTerminal(operation.state)) {
        waits.forEach((wait) => wait.resolve(operation));
      }
      if (operation !== undefined) {
        listeners.forEach((listener) => listener(operation));
      }
    } catch (error) {
      if (!(error instanceof StoreError && error.code === "Unavailable")) {
        waits.forEach((wait) => wait.reject(error));
      } // otherwise the next poll finds out
    }
  }

  #audience(operationId: string): Audience {
    const audience = this.#audiences.get(operationId) ?? { waits: new Set(), listeners: new Set(), look: undefined };
    this.#audiences.set(operationId, audience);
    return audience;
  }

  #leave(operationId: string, remove: (audience: Audience) => void): void {
    const audience = this.#audiences.get(operationId);
    if (audience !== undefined) {
      remove(audience);
      if (audience.waits.size === 0 && audience.listeners.size === 0) {
        this.#audiences.delete(operationId);
      }
    }
  }
}
