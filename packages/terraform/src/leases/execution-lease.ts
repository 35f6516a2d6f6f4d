import type { Clock, Logger } from "@rad/core";
import { type DocumentInput, type Store, StoreError } from "@rad/store";
import type { Product } from "../product.ts";
import { storedVersion } from "../status/installer-records.ts";

export const leasesId = "/system/terraformInstaller/executions";
export const leaseType = "System.Terraform/executions";

/** The right of an execution to use a binary, as the store has it. */
export interface LeaseRecord {
  readonly product: Product;
  readonly version: string;
  /** Of the binary. */
  readonly sha256: string;
  /** Host and process, for people. */
  readonly holder: string;
  readonly acquiredAt: string;
  readonly leaseMs: number;
  /** In store time. */
  readonly expires: number;
}

/** A binary that stays where it is until the lease is disposed. */
export interface ExecutionLease extends AsyncDisposable {
  readonly product: Product;
  readonly version: string;
  /** Of the file itself, not of a link: an upgrade does not change what it is. */
  readonly path: string;
  readonly sha256: string;
  /** Aborts when the lease is lost, because the store was away or the process stood still: the binary may go any time. */
  readonly signal: AbortSignal;
}

export function leaseInput(id: string, lease: LeaseRecord): DocumentInput {
  return { id, type: leaseType, apiVersion: storedVersion, body: { ...lease }, secrets: {} };
}

export interface HeldLeaseOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly id: string;
  readonly record: LeaseRecord;
  /** Of the document as it was stored. */
  readonly etag: string;
}

/** Renews a lease until it is disposed. Whoever counted it as expired has removed it, which ends it for good. */
export class HeldLease implements AsyncDisposable {
  readonly #options: HeldLeaseOptions;
  readonly #lost = new AbortController();
  readonly #released = new AbortController();
  readonly #renewing: Promise<void>;
  #etag: string;
  #renewedAt: number;

  constructor(options: HeldLeaseOptions) {
    this.#options = options;
    this.#etag = options.etag;
    this.#renewedAt = options.clock.monotonicMs();
    this.#renewing = this.#renewAll();
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#released.abort();
    await this.#renewing;
    const { store, id } = this.#options;
    await store.write({ document: { kind: "remove", id, expect: "any" } });
  }

  async #renewAll(): Promise<void> {
    const { clock, record, log } = this.#options;
    while (!this.#lost.signal.aborted) {
      try {
        await clock.sleep(record.leaseMs / 3, this.#released.signal);
      } catch {
        return; // released
      }
      try {
        await this.#renew();
        this.#renewedAt = clock.monotonicMs();
      } catch (error) {
        const isOver = clock.monotonicMs() - this.#renewedAt > record.leaseMs;
        log.warn("the lease of an execution could not be renewed", { holder: record.holder, isOver, error });
        if (isOver) {
          this.#lose();
        }
      }
    }
  }

  async #renew(): Promise<void> {
    const { store, id, record } = this.#options;
    try {
      const expires = (await store.now()) + record.leaseMs;
      const input = leaseInput(id, { ...record, expires });
      const stored = await store.write({
        document: { kind: "put", input, expect: { etag: this.#etag } },
        durability: "soon",
      });
      this.#etag = stored?.etag ?? this.#etag;
    } catch (error) {
      if (!(error instanceof StoreError && error.code === "EtagMismatch")) {
        throw error;
      }
      const found = await store.get(id);
      if (found === undefined) {
        this.#lose();
        return;
      }
      this.#etag = found.etag; // its end was moved after the database's clock had gone back; the next turn renews it
    }
  }

  #lose(): void {
    this.#options.log.error("the lease of an execution is lost", { holder: this.#options.record.holder });
    this.#lost.abort(new Error("The lease of the execution is lost."));
  }
}
