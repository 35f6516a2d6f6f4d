/** Lets idle slots sleep until there may be work. A wake-up nobody waits for is kept for the next to come. */
export class WakeUp {
  readonly #waiting: (() => void)[] = [];
  #pending = 0;

  wait(): Promise<void> {
    if (this.#pending > 0) {
      this.#pending -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** @param mostPending how many wake-ups may pile up; more than there are slots would only spin. */
  some(count: number, mostPending: number): void {
    for (let left = Math.min(count, mostPending); left > 0; left -= 1) {
      const resume = this.#waiting.shift();
      if (resume === undefined) {
        this.#pending = Math.min(mostPending, this.#pending + left);
        return;
      }
      resume();
    }
  }

  all(): void {
    for (const resume of this.#waiting.splice(0)) {
      resume();
    }
  }
}
