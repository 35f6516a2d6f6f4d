import type { Clock } from "@rad/core";

/**
 * Stores progress, one write at a time and in order. Each write takes everything that has changed before it starts, so
 * that many changes at once cost two writes.
 */
export class ProgressWriter implements Disposable {
  readonly #write: () => Promise<void>;
  readonly #clock: Clock;
  readonly #pauseMs: number;
  #current: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  /** Of the write that is to come soon. */
  #pause: AbortController | undefined;
  #isDisposed = false;

  /** @param pauseMs the least time between two writes that nobody waits for. */
  constructor(write: () => Promise<void>, clock: Clock, pauseMs: number) {
    this.#write = write;
    this.#clock = clock;
    this.#pauseMs = pauseMs;
  }

  /** Resolves when everything up to now is stored. */
  flush(): Promise<void> {
    this.#next ??= this.#afterCurrent();
    return this.#next;
  }

  /** Stores what has changed, within a pause. */
  soon(): void {
    if (this.#pause === undefined && !this.#isDisposed) {
      this.#pause = new AbortController();
      void this.#later(this.#pause.signal);
    }
  }

  /** Forgets the write that was to come soon. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#pause?.abort();
  }

  async #later(signal: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(this.#pauseMs, signal);
      this.#pause = undefined;
      await this.flush();
    } catch {
      // Whoever lost the lease learns it from the heartbeat; other failures are met again when the step ends.
    }
  }

  async #afterCurrent(): Promise<void> {
    await this.#current.catch(() => undefined); // those who waited for it know
    this.#next = undefined;
    this.#current = this.#write();
    await this.#current;
  }
}
