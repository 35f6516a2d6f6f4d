/**
 * Lets the answers of one turn of the event loop leave together: first everything that has arrived is worked on, then all
 * of it is written. Written one by one, each answer wakes a client that has just gone back to sleep, and waking it costs
 * more than a read from the database.
 */
export class TurnEnd {
  #reached: Promise<void> | undefined;

  reached(): Promise<void> {
    this.#reached ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#reached = undefined;
        resolve();
      });
    });
    return this.#reached;
  }
}
