import { timestampOf } from "@rad/deployments";
import type { StoredDocument } from "@rad/store";
import { eventBody, idField, resumeId } from "./event-text.ts";

/** The present state of one record, ready to send. */
export interface LogEntry {
  readonly position: number;
  readonly recordId: string;
  readonly timestamp: string;
  /** The latest time of all up to here. */
  readonly watermark: string;
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
  #latest = "";

  constructor(operationId: string) {
    this.#operationId = operationId;
  }

  /** Of the last entry. */
  get position(): number {
    return this.#position;
  }

  /** @returns whether the record is new or has changed. */
  add(record: StoredDocument): boolean {
    const key = record.id.toLowerCase();
    const timestamp = timestampOf(record);
    if (this.#current.get(key)?.timestamp === timestamp) {
      return false;
    }
    this.#latest = timestamp > this.#latest ? timestamp : this.#latest;
    this.#position += 1;
    const text = `${idField(resumeId(this.#operationId, this.#latest))}${eventBody("operation", record.body)}`;
    const entry = {
      position: this.#position,
      recordId: record.id,
      timestamp,
      watermark: this.#latest,
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
