import type { StoreEvent } from "../store.ts";
import type { Database } from "./database.ts";

type DocumentEvent = StoreEvent & { readonly kind: "document" };

/** What one transaction tells others. */
export interface Told {
  readonly events: readonly DocumentEvent[];
  /** The number of the last write that it tells of. */
  readonly until: number;
}

/** Within this time others hear of documents that nobody is known to follow. */
const delayMs = 1_000;

/**
 * Which types of documents were written here and not told to other processes. A notification makes all transactions with
 * one commit one after the other, so what nobody waits for goes along with the next, or once in a while on its own.
 */
export class Hints implements Disposable {
  readonly #database: Database;
  readonly #sender: string;
  /** With the number of the last write of a document of that type. */
  readonly #types = new Map<string, number>();
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(database: Database, sender: string) {
    this.#database = database;
    this.#sender = sender;
  }

  /** Those so far and these. */
  with(types: readonly string[]): Told {
    const events = [...new Set([...this.#types.keys(), ...types])].map((type) => ({ kind: "document", type }) as const);
    return { events, until: this.#writes };
  }

  /** Types whose documents were written or removed without telling others. */
  add(types: readonly string[]): void {
    this.#writes += 1;
    types.forEach((type) => this.#types.set(type, this.#writes));
    if (this.#types.size > 0 && !this.#isClosed) {
      this.#timer ??= setTimeout(() => void this.#tell(), delayMs).unref();
    }
  }

  /** Others know of them, but not of what was written since. */
  forget({ events, until }: Told): void {
    for (const { type } of events) {
      if ((this.#types.get(type) ?? 0) <= until) {
        this.#types.delete(type);
      }
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #tell(): Promise<void> {
    this.#timer = undefined;
    const { events } = this.with([]);
    this.#types.clear();
    if (events.length === 0) {
      return;
    }
    try {
      await this.#database.query("SELECT radius_tell($1, $2::jsonb)", [this.#sender, JSON.stringify(events)]);
    } catch {
      this.add(events.map(({ type }) => type)); // the database is away
    }
  }
}
