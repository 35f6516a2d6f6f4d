import type { StoreEvent } from "../store.ts";
import type { Database } from "./database.ts";

type DocumentEvent = StoreEvent & { readonly kind: "document" };

/** Within this time others hear of documents that nobody is known to follow. */
const delayMs = 1_000;

/**
 * Which types of documents were written here and not told to other processes. A notification makes all transactions with
 * one commit one after the other, so what nobody waits for goes along with the next, or once in a while on its own.
 */
export class Hints implements Disposable {
  readonly #database: Database;
  readonly #sender: string;
  readonly #types = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database, sender: string) {
    this.#database = database;
    this.#sender = sender;
  }

  /** Those so far and these. */
  with(types: readonly string[]): readonly DocumentEvent[] {
    return [...new Set([...this.#types, ...types])].map((type) => ({ kind: "document", type }));
  }

  /** Types whose documents were written or removed without telling others. */
  add(types: readonly string[]): void {
    types.forEach((type) => this.#types.add(type));
    if (this.#types.size > 0 && !this.#isClosed) {
      this.#timer ??= setTimeout(() => void this.#tell(), delayMs).unref();
    }
  }

  /** They were told. */
  forget(hints: readonly DocumentEvent[]): void {
    hints.forEach(({ type }) => this.#types.delete(type));
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #tell(): Promise<void> {
    this.#timer = undefined;
    const hints = this.with([]);
    this.#types.clear();
    if (hints.length === 0) {
      return;
    }
    try {
      await this.#database.query("SELECT radius_tell($1, $2::jsonb)", [this.#sender, JSON.stringify(hints)]);
    } catch {
      this.add(hints.map(({ type }) => type)); // the database is away
    }
  }
}
