import type { Clock } from "../clock.ts";

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** A clock that stands still until a test moves it. */
export class FakeClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();
  #now = 0;
  #wallAheadMs: number;

  constructor(start = new Date()) {
    this.#wallAheadMs = start.getTime();
  }

  now(): Date {
    return new Date(this.#now + this.#wallAheadMs);
  }

  monotonicMs(): number {
    return this.#now;
  }

  /** Sets the wall clock; monotonic time goes on. */
  jump(ms: number): void {
    this.#wallAheadMs += ms;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stop = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const sleeper = {
        at: this.#now + ms,
        wake: () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        },
      };
      signal?.addEventListener("abort", stop, { once: true });
      this.#sleepers.add(sleeper);
    });
  }

  /** How many sleep now. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Wakes, in order, those whose time has come. */
  advance(ms: number): void {
    this.#now += ms;
    const due = [...this.#sleepers].filter(({ at }) => at <= this.#now).toSorted((a, b) => a.at - b.at);
    for (const sleeper of due) {
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}
