import { timestampOf } from "@rad/deployments";
import type { StoredDocument } from "@rad/store";
import { eventBody, idField, resumeId } from "./event-text.ts";

/** The present state of one record, ready to send. */
export interface LogEntry {
  readonly position: number;
  readonly recordId: string;
  readonly timestamp: string;
  /** Whoever has seen the log up to here has seen every change up to this time. */
  readonly settled: string;
  /** The whole event; one buffer for everybody who gets it. */
  readonly chunk: Buffer;
}

/**
 * The records of a deployment in the order in which they changed. Only the last state of each is kept, so that somebody
 * who is late skips what has been overtaken, and memory is bounded by the number of records.
 */
export class RecordLog {
  readonly #operationId: string;
  readonly #current = new Map<string, LogEntry>();
  #entries: LogEntry[] = [];
  #position = 0;
  #settled = "";

  constructor(operationId: string) {
    this.#operationId = operationId;
  }

  /** Of the last entry. */
  get position(): number {
    return this.#position;
  }

  /**
   * @param isSettled whether every record that was changed before this one has been added
   * @returns whether the record is new or has changed.
   */
  add(record: StoredDocument, isSettled: boolean): boolean {
    const key = record.id.toLowerCase();
    const timestamp = timestampOf(record);
    if (isSettled && timestamp > this.#settled) {
      this.#settled = timestamp;
    }
    if (this.#current.get(key)?.timestamp === timestamp) {
      return false;
    }
    this.#position += 1;
    const text = `${idField(resumeId(this.#operationId, this.#settled))}${eventBody("operation", record.body)}`;
    const entry = {
      position: this.#position,
      recordId: record.id,
      timestamp,
      settled: this.#settled,
      chunk: Buffer.from(text),
    };
    this.#current.set(key, entry);
    this.#entries.push(entry);
    this.#dropOvertaken();
    return true;
  }

  /** The first entry behind a position that has not been overtaken. */
  next(position: number): LogEntry | undefined {
    for (let index = this.#indexBehind(position); index < this.#entries.length; index += 1) {
      const entry = this.#entries[index];
      if (entry !== undefined && this.#isCurrent(entry)) {
        return entry;
      }
    }
    return undefined;
  }

  #isCurrent(entry: LogEntry): boolean {
    return this.#current.get(entry.recordId.toLowerCase()) === entry;
  }

  /** Now and then, so that it costs the same for each entry however many there are. */
  #dropOvertaken(): void {
    if (this.#entries.length > 2 * this.#current.size + 16) {
      this.#entries = this.#entries.filter((entry) => this.#isCurrent(entry));
    }
  }

  #indexBehind(position: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.position ?? 0) <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
