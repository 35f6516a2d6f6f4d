import type { Clock, Logger } from "@rad/core";
import { type Store, StoreError } from "@rad/store";
import { recordInput, type RunRecord } from "./run-record.ts";

export interface HeldRecordOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly id: string;
}

/** The record of a run of this process: renewed until it is let go, changed one change after the other. */
export class HeldRecord {
  /** Whether what is left of the record is stored: it is not this run's any more. */
  isRetired = false;
  readonly #options: HeldRecordOptions;
  readonly #lost = new AbortController();
  readonly #released = new AbortController();
  readonly #renewing: Promise<void>;
  #record: RunRecord;
  #etag: string;
  #renewedAt: number;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: HeldRecordOptions, record: RunRecord, etag: string) {
    this.#options = options;
    this.#record = record;
    this.#etag = etag;
    this.#renewedAt = options.clock.monotonicMs();
    this.#renewing = this.#renewAll();
  }

  /** Aborts when another run may have taken the record over. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  get current(): RunRecord {
    return this.#record;
  }

  /** Of the record as this process stored it last. */
  get etag(): string {
    return this.#etag;
  }

  /** Stores a change, unless the record is lost. */
  async update(change: Partial<RunRecord>, durability: "now" | "soon" = "now"): Promise<void> {
    await this.#inTurn(async () => await this.#write({ ...this.#record, ...change }, durability));
  }

  /** Ends the renewals; the record stays as it is. */
  async release(): Promise<void> {
    this.#released.abort();
    await this.#renewing;
    await this.#turn;
  }

  async #renewAll(): Promise<void> {
    const { clock, log } = this.#options;
    const { leaseMs, runId } = this.#record;
    while (!this.#lost.signal.aborted) {
      try {
        await clock.sleep(leaseMs / 3, this.#released.signal);
      } catch {
        return; // released
      }
      try {
        await this.update({}, "soon");
      } catch (error) {
        const isOver = clock.monotonicMs() - this.#renewedAt > leaseMs;
        log.warn("the record of a Terraform run could not be renewed", { runId, isOver, error });
        if (isOver) {
          this.#lose();
        }
      }
    }
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    await turn;
  }

  async #write(record: RunRecord, durability: "now" | "soon"): Promise<void> {
    const { store, clock, id } = this.#options;
    try {
      const renewed = { ...record, expires: (await store.now()) + record.leaseMs };
      const stored = await store.write({
        document: { kind: "put", input: recordInput(id, renewed), expect: { etag: this.#etag } },
        durability,
      });
      this.#record = renewed;
      this.#etag = stored?.etag ?? this.#etag;
      this.#renewedAt = clock.monotonicMs();
    } catch (error) {
      if (!isOvertaken(error)) {
        throw error;
      }
      this.#lose();
    }
  }

  #lose(): void {
    if (!this.#lost.signal.aborted) {
      this.#options.log.error("the record of a Terraform run is lost", { runId: this.#record.runId });
      this.#lost.abort(new Error("The record of the Terraform run is lost."));
    }
  }
}

export function isOvertaken(error: unknown): boolean {
  return error instanceof StoreError && error.code === "EtagMismatch";
}
