/** How fast bytes arrive. */
export interface TransferRate {
  readonly bytesPerSecond: number;
  /** Until the end; absent where that is unknown. */
  readonly secondsLeft: number | undefined;
}

/** Weight of the newest sample: speeds of single polls jump, and nobody can read a number that does. */
const newestWeight = 0.3;

/** Measures the speed of a download from how many bytes are there at which time. */
export class TransferMeter {
  #last: { readonly bytes: number; readonly ms: number } | undefined;
  #speed: number | undefined;

  /** @returns `undefined` until two samples tell a speed */
  sample(bytes: number, totalBytes: number | undefined, nowMs: number): TransferRate | undefined {
    const last = this.#last;
    if (last === undefined || bytes < last.bytes) {
      // The first sample, or an attempt from the start.
      this.#last = { bytes, ms: nowMs };
      this.#speed = undefined;
      return undefined;
    }
    // Bytes are told now and then: a poll without news says nothing about the speed yet.
    if (bytes > last.bytes && nowMs > last.ms) {
      const speed = ((bytes - last.bytes) * 1000) / (nowMs - last.ms);
      this.#speed = this.#speed === undefined ? speed : this.#speed + newestWeight * (speed - this.#speed);
      this.#last = { bytes, ms: nowMs };
    }
    if (this.#speed === undefined) {
      return undefined;
    }
    return {
      bytesPerSecond: this.#speed,
      secondsLeft: totalBytes === undefined ? undefined : Math.max(0, totalBytes - bytes) / this.#speed,
    };
  }
}
