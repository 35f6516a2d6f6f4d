/** A map that forgets what was used least recently once it is full. */
export class LruCache<K, V> {
  readonly #maxEntries: number;
  readonly #entries = new Map<K, V>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) {
      // A map keeps insertion order, so the entry moves to the young end.
      this.#entries.delete(key);
      this.#entries.set(key, value);
    }
    return value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#maxEntries) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) {
        this.#entries.delete(oldest);
      }
    }
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}
