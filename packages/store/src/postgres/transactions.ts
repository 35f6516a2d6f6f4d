import type { EventHub } from "../events.ts";
import type { StoreEvent } from "../store.ts";
import type { Database, Sql } from "./database.ts";
import { channel, encodeNotification, isOrdered } from "./notifications.ts";

export type Announce = (event: StoreEvent) => void;

/**
 * Transactions that tell others what they did. The notification is part of the transaction, so a process that dies
 * right after its commit has still told everybody.
 */
export class Transactions {
  readonly #database: Database;
  readonly #events: EventHub;
  readonly #sender: string;

  constructor(database: Database, events: EventHub, sender: string) {
    this.#database = database;
    this.#events = events;
    this.#sender = sender;
  }

  async run<T>(work: (sql: Sql, announce: Announce) => Promise<T>): Promise<T> {
    let events: StoreEvent[] = [];
    const result = await this.#database.transaction(async (sql) => {
      events = [];
      const value = await work(sql, (event) => events.push(event));
      if (events.length > 0) {
        await sql.query("SELECT pg_notify($1, $2)", [channel, encodeNotification(this.#sender, events)]);
      }
      return value;
    });
    this.#events.emit(events.filter((event) => !isOrdered(event)));
    return result;
  }

  /**
   * One statement that tells what it did, without the round trips of a transaction.
   * @returns whether it changed anything; otherwise nothing is announced
   */
  async announced(
    events: readonly StoreEvent[],
    { change, values }: { readonly change: string; readonly values: readonly unknown[] },
  ): Promise<boolean> {
    const next = values.length + 1;
    const rows = await this.#database.query(
      `WITH changed AS (${change}) SELECT pg_notify($${next}, $${next + 1}) FROM changed`,
      [...values, channel, encodeNotification(this.#sender, events)],
    );
    if (rows.length > 0) {
      this.#events.emit(events);
    }
    return rows.length > 0;
  }
}
