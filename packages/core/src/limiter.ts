/** Lets so many pieces of work run at once; the others wait their turn, first come first served. */
export class Limiter {
  readonly #waiting: (() => void)[] = [];
  #head = 0;
  #free: number;

  constructor(slots: number) {
    this.#free = Math.max(1, slots);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) {
      this.#free -= 1;
    } else {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** A slot passes on to the next that waits, so that none that comes later can take it first. */
  #release(): void {
    const next = this.#waiting[this.#head];
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#head += 1;
    if (this.#head === this.#waiting.length) {
      this.#waiting.length = 0;
      this.#head = 0;
    }
    next();
  }
}
