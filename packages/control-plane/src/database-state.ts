import type { Logger } from "@rad/core";
import type { StoreError } from "@rad/store";

/** Says once that the database is away, and once that it is back, however many notice and however often. */
export class DatabaseState {
  readonly #log: Logger;
  #isAway = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  away(error: StoreError): void {
    if (!this.#isAway) {
      this.#isAway = true;
      this.#log.warn("the database cannot be reached; the server tries again until it can", { reason: error.message });
    }
  }

  back(): void {
    if (this.#isAway) {
      this.#isAway = false;
      this.#log.info("the database can be reached again");
    }
  }
}
