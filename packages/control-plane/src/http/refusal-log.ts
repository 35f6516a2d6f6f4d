import type { Logger } from "@rad/core";
import type { AuditRecord, AuditStore } from "@rad/store";

const flushMs = 100;
/** A flood of refused requests must not fill memory; what does not fit is counted in the log instead. */
const mostWaiting = 5_000;

/** Refused requests reach the audit in batches, so that refusing stays cheaper than asking. */
export class RefusalLog implements AsyncDisposable {
  readonly #audit: AuditStore;
  readonly #log: Logger;
  #waiting: AuditRecord[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(audit: AuditStore, log: Logger) {
    this.#audit = audit;
    this.#log = log;
  }

  add(record: AuditRecord): void {
    if (this.#waiting.length >= mostWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(record);
    this.#timer ??= setTimeout(() => void this.flush(), flushMs);
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [records, dropped] = [this.#waiting, this.#dropped];
    this.#waiting = [];
    this.#dropped = 0;
    if (dropped > 0) {
      this.#log.warn("too many refused requests to audit each", { dropped });
    }
    if (records.length === 0) {
      return;
    }
    try {
      await this.#audit.append(records);
    } catch (error) {
      this.#log.error("refused requests could not be audited", { count: records.length, error });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
  }
}
