import type { Logger } from "@rad/core";
import type { Lease, Operation, OperationOutcome, StoredDocument, Write } from "@rad/store";
import type { StepOptions, StepWork } from "./steps/operation-steps.ts";

/** The change that ends an operation; the worker adds the lease and the outcome. */
export type Ending = Pick<Write, "document" | "also" | "guards" | "audit" | "cancel">;

/** A change in the middle of an operation. It may accept another operation, to wait for it. */
export type StepChange = Ending & Pick<Write, "durability" | "operation">;

/**
 * How an attempt ends without an error. `again` and `waiting` give the worker's slot back and count as no attempt; the
 * operation runs again from the start, after a restart too, with what its `change` and earlier writes stored.
 * Cancellation and the deadline end such a pause.
 * - `done`: the operation has succeeded.
 * - `again`: not before `afterMs`.
 * - `waiting`: when all these operations have ended, however; at once, if they have already. Waiting for each other in a
 *   circle ends the operation as `Failed`.
 */
export type Outcome =
  | { readonly kind: "done"; readonly ending: Ending }
  | { readonly kind: "again"; readonly afterMs: number; readonly change?: StepChange }
  | { readonly kind: "waiting"; readonly for: readonly string[]; readonly change?: StepChange };

/** Knows what the operations of a program mean. The worker knows when and how often they run. */
export interface OperationExecutor {
  /**
   * Does the work. It may run again after a crash, so doing it twice must do no harm.
   * @throws ApiError to end the operation as `Failed`, unless it is `transient`. That, and whatever else is thrown, is
   *   tried again with back-off until the attempts are used up.
   */
  run(context: OperationContext): Promise<Outcome>;

  /**
   * What ending as `Failed` or `Canceled` changes. It may run although `run` never did, and more than once. The signal of
   * `context` may have aborted before it begins; that alone is no reason to give up.
   */
  conclude(operation: Operation, outcome: OperationOutcome, context: OperationContext): Promise<Ending>;
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

  /** Runs `work` as a named step that the operation's status shows, with the steps within it. */
  step<T>(name: string, work: StepWork<T>, options?: StepOptions): Promise<T>;

  /** Hides these values from everything the operation logs, reports or fails with, until it ends. */
  hide(values: Iterable<string>): void;

  /**
   * Gives the worker's slot to other operations while `work` runs, and goes on when one is free again, ahead of new
   * operations. The lease is kept. For waits too short or too costly to interrupt with the outcome `waiting`; the
   * caller sees to it that nothing else of the operation runs meanwhile.
   */
  withoutSlot<T>(work: () => Promise<T>): Promise<T>;
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
