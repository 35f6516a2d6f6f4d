import type { Store } from "@rad/store";

/** What code that goes on after the death of its process gets to see. */
export class ProcessDied extends Error {
  override readonly name = "ProcessDied";
}

/** `before`: the last write is lost. `after`: it is durable, but nobody was told. */
export type CrashTime = "before" | "after";

/** A store whose process dies at the `n`-th write, counted from 1; from then on nothing works any more. */
export class CrashingStore {
  readonly store: Store;
  writes = 0;
  #isDead = false;

  constructor(real: Store, crashAt: number, time: CrashTime = "before") {
    const alive = <T extends unknown[], R>(work: (...args: T) => Promise<R>) => {
      return async (...args: T): Promise<R> => {
        this.#dieIf(this.#isDead);
        const result = await work(...args);
        this.#dieIf(this.#isDead);
        return result;
      };
    };
    this.store = {
      operations: real.operations,
      audit: real.audit,
      get: alive((id) => real.get(id)),
      recall: (id) => real.recall(id),
      list: alive((query) => real.list(query)),
      secrets: alive((id) => real.secrets(id)),
      reseal: alive(() => real.reseal()),
      eraseReplaced: alive(() => real.eraseReplaced()),
      now: alive(() => real.now()),
      ping: alive(() => real.ping()),
      write: alive(async (change) => {
        this.writes += 1;
        const isLast = this.writes === crashAt;
        this.#isDead ||= isLast;
        this.#dieIf(isLast && time === "before");
        const stored = await real.write(change);
        this.#dieIf(isLast);
        return stored;
      }),
      subscribe: (listener) => real.subscribe(listener),
      [Symbol.asyncDispose]: async () => {},
    };
  }

  #dieIf(condition: boolean): void {
    if (condition) {
      throw new ProcessDied("The process is gone.");
    }
  }
}
