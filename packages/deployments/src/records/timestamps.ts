import type { Clock } from "@rad/core";

/**
 * Instants in ISO 8601 with seven decimals, each later than the one before, so that sorting what happened in one
 * deployment by time gives the order in which it happened. Those who follow a deployment go on from such an instant.
 */
export class Timestamps {
  readonly #clock: Pick<Clock, "now">;
  #ms = 0;
  #within = 0;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Everything from now on is later than `timestamp`, which another process may have taken from another clock. */
  startAfter(timestamp: string): void {
    const ms = Date.parse(timestamp);
    const within = Number(/(\d{4})Z$/.exec(timestamp)?.[1] ?? 0);
    if (ms > this.#ms || (ms === this.#ms && within > this.#within)) {
      this.#ms = ms;
      this.#within = within;
    }
  }

  next(): string {
    const now = this.#clock.now().getTime();
    if (now > this.#ms) {
      this.#ms = now;
      this.#within = 0;
    } else if (this.#within === 9_999) {
      this.#ms += 1;
      this.#within = 0;
    } else {
      this.#within += 1;
    }
    const toMs = new Date(this.#ms).toISOString().slice(0, -1);
    return `${toMs}${String(this.#within).padStart(4, "0")}Z`;
  }
}
