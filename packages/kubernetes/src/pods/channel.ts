/** How many items may wait for the consumer before producers do. */
const capacity = 64;

/** Hands items of many producers to one consumer. A producer that is too fast waits, so nothing piles up. */
export class Channel<Item> {
  readonly #items: { readonly item: Item; readonly taken: () => void }[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  /** Resolves when there is room for more; at once after the end, when nobody reads. */
  async put(item: Item): Promise<void> {
    if (this.#closed) {
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#items.push({ item, taken: resolve });
    this.#wake?.();
    if (this.#items.length > capacity) {
      await promise;
    }
  }

  /** What is in it already can still be read. */
  close(): void {
    this.#closed = true;
    for (const { taken } of this.#items) {
      taken();
    }
    this.#wake?.();
  }

  async *items(): AsyncGenerator<Item> {
    for (;;) {
      const next = this.#items.shift();
      if (next !== undefined) {
        next.taken();
        yield next.item;
      } else if (this.#closed) {
        return;
      } else {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await promise;
      }
    }
  }
}
