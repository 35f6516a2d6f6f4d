import type { Clock } from "@rad/core";

/**
 * Instants in ISO 8601 with seven decimals, each later than the one before, so that sorting what happened in one
 * deployment by time gives the order in which it happened.
 */
export class Timestamps {
  readonly #clock: Clock;
  #ms = 0;
  #within = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
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

/** An instant in milliseconds, written like the others. */
export function exactTimestamp(instant: string): string {
  return `${new Date(instant).toISOString().slice(0, -1)}0000Z`;
}
