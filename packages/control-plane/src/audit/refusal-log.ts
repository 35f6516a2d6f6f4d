import type { Logger } from "@rad/core";
import type { AuditRecord, AuditStore } from "@rad/store";

/** What the server's log says, with their number. */
export const missingRefusals = "refused requests are missing from the audit log";

/** One statement's worth. */
const maxBatch = 1_000;

export interface RefusalLogOptions {
  readonly audit: AuditStore;
  readonly log: Logger;
  readonly onLost: (count: number) => void;
}

interface Waiting {
  readonly record: AuditRecord;
  readonly resolve: () => void;
}

/**
 * Puts refusals on record before they are answered. Those of one turn, and those that come while others are written,
 * share a write, so a flood of them waits for the store instead of filling it with transactions.
 */
export class RefusalLog implements AsyncDisposable {
  readonly #options: RefusalLogOptions;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: RefusalLogOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the audit log has the record. A store that cannot take it does not keep the refusal from its caller,
   * whose request changes nothing; the server's log and a metric say that the record is missing.
   */
  async add(record: AuditRecord): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ record, resolve });
    this.#writing ??= this.#writeAll();
    await promise;
  }

  /** More wait than one write can take. */
  get isCrowded(): boolean {
    return this.#waiting.length > maxBatch;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    await new Promise(setImmediate); // whatever else is refused in this turn comes along
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, maxBatch);
      this.#waiting = this.#waiting.slice(maxBatch);
      await this.#write(batch.map(({ record }) => record));
      batch.forEach(({ resolve }) => resolve());
    }
    this.#writing = undefined;
  }

  async #write(records: readonly AuditRecord[]): Promise<void> {
    const { audit, log, onLost } = this.#options;
    try {
      await audit.append(records);
    } catch (error) {
      log.error(missingRefusals, { count: records.length, error });
      onLost(records.length);
    }
  }
}
