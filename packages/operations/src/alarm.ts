/** Longer timers fire at once; whoever sets the alarm looks again before that. */
const longestMs = 2 ** 31 - 1;

/** Rings at the earliest of the times that were asked for; the others are forgotten. */
export class Alarm implements Disposable {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;
  #at = Infinity;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  ringIn(ms: number): void {
    const waitMs = Math.max(1, Math.ceil(ms));
    const at = performance.now() + waitMs;
    if (at >= this.#at || waitMs > longestMs) {
      return;
    }
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => {
      this.#at = Infinity;
      this.#ring();
    }, waitMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#at = -Infinity;
  }
}
