import type { Logger } from "@rad/core";
import type { Lease, Operation, OperationOutcome, StoredDocument, Write } from "@rad/store";

/** The change that ends an operation; the worker adds the lease and the outcome. */
export type Ending = Pick<Write, "document" | "also" | "guards" | "audit">;

/** A change in the middle of an operation. */
export type StepChange = Ending & Pick<Write, "durability">;

/** Knows what the operations of a program mean. The worker knows when and how often they run. */
export interface OperationExecutor {
  /** Called first on every attempt; shows the outside that work goes on. */
  begin(context: OperationContext): Promise<void>;

  /**
   * Does the work. It may run again after a crash, so doing it twice must do no harm.
   * @throws RetryLater to be tried again; any other error ends the operation as `Failed`.
   */
  run(context: OperationContext): Promise<Ending>;

  /** What ending as `Failed` or `Canceled` changes. */
  conclude(operation: Operation, outcome: OperationOutcome): Promise<Ending>;
}

export interface OperationContext {
  readonly operation: Operation;
  readonly lease: Lease;
  /** Aborts when the work has to stop; the reason is an `OperationStopped`. */
  readonly signal: AbortSignal;
  readonly log: Logger;

  /**
   * Stores a change in the middle of the work. Resolves to its document, when it puts one.
   * @throws StoreError `LeaseLost` when this worker is fenced off.
   */
  write(change: StepChange): Promise<StoredDocument | undefined>;

  /** Runs `work` as a named step that the operation's status shows. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;

  /** Hides these values from everything the operation logs, reports or fails with, until it ends. */
  hide(values: Iterable<string>): void;
}

/**
 * Why work is told to stop:
 * - `cancelled`, `deadline`: it ends as `Canceled`, as soon as it has come to rest.
 * - `drained`: the process is about to end; another attempt will go on.
 * - `leaseLost`: another worker has it by now.
 */
export type StopReason = "cancelled" | "deadline" | "drained" | "leaseLost";

export class OperationStopped extends Error {
  override readonly name = "OperationStopped";
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`The operation was stopped: ${reason}.`);
    this.reason = reason;
  }
}

/** The attempt failed for a reason that may pass. */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
}
