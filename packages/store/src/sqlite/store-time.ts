import type { Clock } from "@rad/core";
import type { Database } from "./database.ts";

/** What a crash may take of it; as long as nothing is written, see `SqliteStore`. */
const saveEveryMs = 1_000;

/**
 * The time that leases, pauses, deadlines and retention are counted in, in milliseconds. It goes on with the monotonic
 * clock while a process has the store open, and stands still while none has, and while the machine sleeps: whatever
 * becomes of the wall clock, nothing is late or early because of it. What people read is wall-clock time and is never
 * compared. A new store begins with the wall clock's time, so that times of older databases fit.
 */
export class StoreTime {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #longestGapMs: number;
  #now: number;
  #seenAt: number;
  #saved: number;

  /** @param longestGapMs what a longer silence between two looks at the clock counts as: the machine slept. */
  constructor(database: Database, clock: Clock, longestGapMs: number) {
    this.#database = database;
    this.#clock = clock;
    this.#longestGapMs = longestGapMs;
    this.#now = database.get<{ now: number }>("SELECT now FROM store_time")?.now ?? 0;
    this.#saved = this.#now;
    this.#seenAt = clock.monotonicMs();
  }

  now(): number {
    const at = this.#clock.monotonicMs();
    this.#now += Math.min(at - this.#seenAt, this.#longestGapMs);
    this.#seenAt = at;
    return Math.floor(this.#now);
  }

  /** Inside a transaction: the next start goes on from here. */
  save(everyMs = saveEveryMs): void {
    const now = this.now();
    if (now - this.#saved >= everyMs) {
      this.#database.run("UPDATE store_time SET now = ?", [now]);
      this.#saved = now;
    }
  }
}
