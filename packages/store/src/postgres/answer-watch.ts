/**
 * Notices that a connection does not answer. `pg` would set a timer for each statement, which costs as much as everything
 * else that our server does for it: here one timer looks now and then.
 */
export class AnswerWatch {
  readonly #limitMs: number;
  readonly #onSilence: () => void;
  #waiting = 0;
  #movedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onSilence: () => void) {
    this.#limitMs = limitMs;
    this.#onSilence = onSilence;
  }

  sent(): void {
    this.#waiting += 1;
    this.#movedAt = performance.now();
    this.#timer ??= this.#lookIn(this.#limitMs);
  }

  answered(): void {
    this.#waiting -= 1;
    this.#movedAt = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #lookIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#waiting === 0) {
      return;
    }
    const leftMs = this.#movedAt + this.#limitMs - performance.now();
    if (leftMs > 0) {
      this.#timer = this.#lookIn(leftMs);
    } else {
      this.#onSilence();
    }
  }
}
