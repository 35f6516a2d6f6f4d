import type { StoreEvent } from "../store.ts";
import type { Database } from "./database.ts";

type DocumentEvent = StoreEvent & { readonly kind: "document" };

/** Within this time others hear of documents that nobody is known to follow. */
const delayMs = 1_000;

/** Whether other processes act on it, so that they have to hear of it even if this one dies. */
export function isFollowed(type: string): boolean {
  return type.startsWith("system.");
}

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

  /** They were told, or have to be. */
  sent(hints: readonly DocumentEvent[], told: boolean): void {
    for (const { type } of hints) {
      if (told) {
        this.#types.delete(type);
      } else {
        this.#types.add(type);
      }
    }
    if (this.#types.size > 0 && !this.#isClosed) {
      this.#timer ??= setTimeout(() => void this.#tell(), delayMs).unref();
    }
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
      this.sent(hints, false); // the database is away
    }
  }
}
