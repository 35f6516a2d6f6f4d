import { setTimeout as sleep } from "node:timers/promises";

/**
 * Stores progress, one write at a time and in order. Each write takes everything that has changed before it starts, so
 * that many changes at once cost two writes.
 */
export class ProgressWriter {
  readonly #write: () => Promise<void>;
  readonly #pauseMs: number;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isPlanned = false;

  /** @param pauseMs the least time between two writes that nobody waits for. */
  constructor(write: () => Promise<void>, pauseMs: number) {
    this.#write = write;
    this.#pauseMs = pauseMs;
  }

  /** Resolves when everything up to now is stored. */
  flush(): Promise<void> {
    this.#next ??= this.#afterCurrent();
    return this.#next;
  }

  /** Stores what has changed, within a pause. */
  soon(): void {
    if (!this.#isPlanned) {
      this.#isPlanned = true;
      void this.#later();
    }
  }

  async #later(): Promise<void> {
    await sleep(this.#pauseMs, undefined, { ref: false });
    this.#isPlanned = false;
    // Whoever lost the lease learns it from the heartbeat; other failures are met again when the step ends.
    await this.flush().catch(() => undefined);
  }

  async #afterCurrent(): Promise<void> {
    await this.#current.catch(() => undefined); // those who waited for it know
    this.#next = undefined;
    this.#current = this.#write();
    await this.#current;
  }
}
