import type { Socket } from "node:net";

/**
 * Lets the answers of one turn of the event loop leave together: first everything that has arrived is worked on, then all
 * of it is written. Written one by one, each answer wakes a client that has just gone back to sleep, and waking it costs
 * more than a read from the database. A connection that sends one request after the other while all others are silent
 * has nobody to wait for.
 */
export class TurnEnd {
  #reached: Promise<void> | undefined;
  #latest: Socket | undefined;

  /** @returns what to wait for before the answer is written to the connection, if anything. */
  before(connection: Socket): Promise<void> | undefined {
    const isAlone = connection === this.#latest && this.#reached === undefined;
    this.#latest = connection;
    return isAlone ? undefined : this.#whenReached();
  }

  #whenReached(): Promise<void> {
    this.#reached ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#reached = undefined;
        resolve();
      });
    });
    return this.#reached;
  }
}
