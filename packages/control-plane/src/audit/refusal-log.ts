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
  #flushing: Promise<void> | undefined;
  #closed = false;

  constructor(audit: AuditStore, log: Logger) {
    this.#audit = audit;
    this.#log = log;
  }

  add(record: AuditRecord): void {
    if (this.#closed) {
      this.#log.error("refused request came too late to be audited", { action: record.action, target: record.target });
      return;
    }
    if (this.#waiting.length >= mostWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(record);
    this.#timer ??= setTimeout(() => void this.flush(), flushMs);
  }

  /** Resolves when everything that was added is in the audit, also what another call is writing. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const before = this.#flushing;
    const records = this.#waiting;
    this.#waiting = [];
    const flushing = Promise.all([before, this.#append(records)]).then(() => {});
    this.#flushing = flushing;
    await flushing;
    if (this.#flushing === flushing) {
      this.#flushing = undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.flush();
  }

  async #append(records: readonly AuditRecord[]): Promise<void> {
    if (this.#dropped > 0) {
      this.#log.warn("too many refused requests to audit each", { dropped: this.#dropped });
      this.#dropped = 0;
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
}
