import type { Clock, ErrorDetail, Logger, Redactor } from "@rad/core";
import {
  type Lease,
  type LeasedOperation,
  type Operation,
  type OperationOutcome,
  type OperationStep,
  type Park,
  type Store,
  StoreError,
} from "@rad/store";
import { describeFailure, isFinal } from "./attempt-failure.ts";
import { backoffMs } from "./backoff.ts";
import type { IdleParks } from "./idle-parks.ts";
import {
  type Ending,
  type OperationContext,
  type OperationExecutor,
  OperationStopped,
  type Outcome,
  type StepChange,
  type StopReason,
} from "./operation-executor.ts";
import type { Slot } from "./slot.ts";
import { OperationSteps } from "./steps/operation-steps.ts";

export interface OperationRunDeps {
  readonly store: Store;
  readonly executor: OperationExecutor;
  readonly clock: Clock;
  readonly log: Logger;
  readonly redactor: Redactor;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  /** So often in a row the process may die at work without getting further; then the operation ends as `Failed`. */
  readonly maxDeaths: number;
  /** The pause after a failed attempt. */
  readonly backoffMs?: (attempt: number) => number;
  /** How long work that was told to stop may take before it is left behind, fenced off. */
  readonly graceMs: number;
  /** The same for work that somebody cancelled, where it may take longer to come to rest. */
  readonly cancelGraceMs?: number;
  /** Shared by the attempts of a worker. */
  readonly idleParks?: IdleParks;
}

export type RunResult = "Succeeded" | "Failed" | "Canceled" | "retried" | "parked" | "handedBack" | "leaseLost";

/**
 * One attempt at one operation, from the lease to the outcome.
 *
 *     leased ── work is done ──────────────→ Succeeded   (one write: document, outcome, audit)
 *        │ ──── work waits ────────────────→ parked, attempt not counted
 *        │ ──── work throws an ApiError ───→ Failed
 *        │ ──── work throws another error ─→ back to the queue after a pause; Failed after the last attempt
 *        │ ──── deadline or cancellation ──→ Canceled
 *        │ ──── the process dies ──────────→ back to the queue; Failed when too many died in a row
 *        │ ──── drain ─────────────────────→ back to the queue, attempt not counted
 *        └ ──── lease lost ────────────────→ nothing is written: another worker has it
 *
 * Every write carries the lease, so whichever worker lost it cannot change anything, however late it wakes up.
 */
export class OperationRun {
  readonly #deps: OperationRunDeps;
  readonly #operation: Operation;
  readonly #lease: Lease;
  readonly #stop = new AbortController();
  readonly #log: Logger;
  readonly #hidden = new DisposableStack();
  readonly #slot: Slot;
  readonly #steps: OperationSteps;
  readonly #overdue = Promise.withResolvers<never>();
  readonly #timeLeftMsAtTake: number;
  readonly #takenAt: number;
  #stopReason: StopReason | undefined;
  #grace: NodeJS.Timeout | undefined;
  #isOver = false;
  #readyInMs: number | undefined;
  #withoutSlot = 0;
  /** Monotonic, because a suspended machine must not believe that its lease still holds. */
  #renewedAt = performance.now();

  constructor(deps: OperationRunDeps, leased: LeasedOperation, slot: Slot) {
    this.#deps = deps;
    this.#operation = leased.operation;
    this.#lease = leased.lease;
    this.#timeLeftMsAtTake = leased.timeLeftMs;
    this.#takenAt = deps.clock.monotonicMs();
    this.#slot = slot;
    this.#steps = new OperationSteps({
      stored: leased.operation.steps,
      store: (steps) => {
        const isFurther = countSteps(steps) > countSteps(leased.operation.steps);
        return deps.store.operations.progress(leased.lease, steps, isFurther);
      },
      clock: deps.clock,
      redactor: deps.redactor,
      signal: this.#stop.signal,
    });
    this.#overdue.promise.catch(() => {}); // nobody listens before the work begins
    this.#log = deps.log.child({
      operation: leased.operation.id,
      resource: leased.operation.resourceId,
      correlationId: leased.operation.correlationId,
    });
  }

  get operation(): Operation {
    return this.#operation;
  }

  /** After an attempt that left the operation aside for a time: how long that is. */
  get readyInMs(): number | undefined {
    return this.#readyInMs;
  }

  /** The first reason counts, except that cancelled work has until any other reason to come to rest. */
  stop(reason: StopReason): void {
    if (this.#stopReason === undefined || (this.#stopReason === "cancelled" && reason !== "cancelled")) {
      this.#stopReason = reason;
      this.#stop.abort(new OperationStopped(reason));
      this.#limitGrace();
    }
  }

  async execute(): Promise<RunResult> {
    const heartbeat = setInterval(() => void this.#renew(), this.#deps.leaseMs / 3);
    const timeLeftMs = this.#timeLeftMs();
    // Beyond 2^31 ms a timer would fire at once; such a deadline is caught when the operation is taken again.
    const deadline =
      timeLeftMs < 2 ** 31 ? setTimeout(() => this.stop("deadline"), Math.max(1, timeLeftMs)) : undefined;
    try {
      return await this.#attempt(timeLeftMs);
    } catch (error) {
      if (error instanceof StoreError && error.code === "LeaseLost") {
        this.#log.warn("operation was taken over; its result here is dropped");
        return "leaseLost";
      }
      throw error;
    } finally {
      this.#isOver = true;
      clearInterval(heartbeat);
      clearTimeout(deadline);
      clearTimeout(this.#grace);
      this.#steps[Symbol.dispose]();
      this.#hidden.dispose();
    }
  }

  async #attempt(timeLeftMs: number): Promise<RunResult> {
    const { operation } = this;
    if (operation.cancelReason !== undefined) {
      return await this.#cancel(operation.cancelReason);
    }
    if (timeLeftMs <= 0) {
      return await this.#cancel("The operation did not finish in time.");
    }
    if (operation.deaths.length >= this.#deps.maxDeaths) {
      return await this.#end({
        state: "Failed",
        error: { code: "Internal", message: describeDeaths(operation.deaths) },
      });
    }
    try {
      return await this.#settle(await this.#work());
    } catch (error) {
      return await this.#endWithError(error);
    }
  }

  #timeLeftMs(): number {
    return this.#timeLeftMsAtTake - (this.#deps.clock.monotonicMs() - this.#takenAt);
  }

  async #settle(outcome: Outcome): Promise<RunResult> {
    if (outcome.kind === "done") {
      return await this.#end({ state: "Succeeded" }, outcome.ending);
    }
    if (this.#stopReason === "cancelled" || this.#stopReason === "deadline") {
      this.#stop.signal.throwIfAborted(); // there is nothing to come back for
    }
    const { change = {}, ...park } = outcome;
    return await this.#park(change, await this.#slowDown(park, change));
  }

  /** A wait that would be over at once, as those before it, becomes a pause. */
  async #slowDown(park: Park, { operation }: StepChange): Promise<Park> {
    const { id } = this.#operation;
    if (park.kind === "again") {
      this.#deps.idleParks?.forget(id);
      return park;
    }
    const isOver = async (): Promise<boolean> => operation === undefined && (await this.#haveEnded(park.for));
    const afterMs = await this.#deps.idleParks?.pauseMs(id, isOver);
    if (afterMs === undefined) {
      return park;
    }
    this.#log.warn("operation waits again and again for what has ended", { afterMs });
    return { kind: "again", afterMs };
  }

  async #haveEnded(ids: readonly string[]): Promise<boolean> {
    for (const id of ids) {
      const awaited = await this.#deps.store.operations.get(id);
      if (awaited !== undefined && awaited.endedAt === undefined) {
        return false;
      }
    }
    return true;
  }

  /** Where nobody outside can see the change, it need not be fsynced: what a power cut takes, the next attempt redoes. */
  async #park(change: StepChange, park: Park): Promise<RunResult> {
    const isVisible = (change.document ?? change.also ?? change.audit) !== undefined;
    const durability = isVisible ? "now" : "soon";
    await this.#whenStored(async () => {
      await this.#deps.store.write({ durability, ...change, lease: this.#lease, park });
    });
    this.#readyInMs = Math.min(park.kind === "again" ? park.afterMs : Infinity, this.#timeLeftMs());
    return "parked";
  }

  /** The executor's work, given up on when it does not stop within the grace period after it was told to. */
  async #work(): Promise<Outcome> {
    return await Promise.race([this.#deps.executor.run(this.#context()), this.#overdue.promise]);
  }

  #limitGrace(): void {
    const { graceMs, cancelGraceMs = graceMs } = this.#deps;
    const allowedMs = this.#stopReason === "cancelled" ? cancelGraceMs : graceMs;
    clearTimeout(this.#grace);
    // A timer that nobody clears any more would keep a process from ending.
    if (allowedMs < Infinity && !this.#isOver) {
      this.#grace = setTimeout(() => this.#overdue.reject(this.#stop.signal.reason), allowedMs);
    }
  }

  async #endWithError(error: unknown): Promise<RunResult> {
    if (error instanceof StoreError && error.code === "LeaseLost") {
      throw error;
    }
    switch (this.#stopReason) {
      case "leaseLost":
        return "leaseLost";
      case "drained":
        await this.#deps.store.operations.handBack(this.#lease);
        return "handedBack";
      case "deadline":
        return await this.#cancel((await this.#cancelReason()) ?? "The operation did not finish in time.");
      case "cancelled":
        return await this.#cancel((await this.#cancelReason()) ?? "The operation was cancelled.");
      case undefined:
        return await this.#fail(error);
      default:
        return this.#stopReason satisfies never;
    }
  }

  async #fail(error: unknown): Promise<RunResult> {
    const detail = await this.#describe(error);
    if (isFinal(error) || this.#operation.attempt >= this.#deps.maxAttempts) {
      return await this.#end({ state: "Failed", error: detail });
    }
    const delayMs = (this.#deps.backoffMs ?? backoffMs)(this.#operation.attempt);
    this.#log.warn("operation will be tried again", { delayMs, error: detail });
    await this.#whenStored(() => this.#deps.store.operations.retryLater(this.#lease, delayMs, detail));
    this.#readyInMs = delayMs;
    return "retried";
  }

  #cancel(message: string): Promise<RunResult> {
    const error = { code: "OperationCanceled", message, target: this.#operation.resourceId };
    return this.#end({ state: "Canceled", error });
  }

  async #end(outcome: OperationOutcome, success?: Ending): Promise<RunResult> {
    await this.#whenStored(async () => {
      const ending = success ?? (await this.#deps.executor.conclude(this.#operation, outcome, this.#context()));
      await this.#deps.store.write({ ...ending, lease: this.#lease, outcome });
    });
    this.#deps.idleParks?.forget(this.#operation.id);
    return outcome.state;
  }

  /** The outcome is known; while the store is away it is kept and offered again for as long as the lease holds. */
  async #whenStored(write: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        const away = error instanceof StoreError && (error.code === "Unavailable" || error.code === "NotWritable");
        if (!away || this.#stopReason === "leaseLost" || this.#stopReason === "drained") {
          throw error;
        }
        this.#log.warn("outcome could not be stored yet", { code: error.code });
        await this.#deps.clock.sleep(Math.min(2_000, 100 * 2 ** attempt));
      }
    }
  }

  async #renew(): Promise<void> {
    try {
      const { cancelReason } = await this.#deps.store.operations.renew(this.#lease, this.#deps.leaseMs);
      this.#renewedAt = performance.now();
      if (cancelReason !== undefined) {
        this.stop("cancelled");
      }
    } catch (error) {
      const lost = error instanceof StoreError && error.code === "LeaseLost";
      if (lost || performance.now() - this.#renewedAt > this.#deps.leaseMs) {
        this.stop("leaseLost");
      }
    }
  }

  async #cancelReason(): Promise<string | undefined> {
    return (await this.#deps.store.operations.get(this.#operation.id))?.cancelReason;
  }

  async #describe(error: unknown): Promise<ErrorDetail> {
    const detail = await describeFailure(error, this.#deps);
    if (detail !== undefined) {
      return detail;
    }
    this.#log.error("operation failed unexpectedly", { error });
    return { code: "Internal", message: "The operation failed unexpectedly; the server's log has the cause." };
  }

  #context(): OperationContext {
    const { store, redactor } = this.#deps;
    return {
      operation: this.#operation,
      lease: this.#lease,
      signal: this.#stop.signal,
      log: this.#log,
      write: (change) => store.write({ ...change, lease: this.#lease }),
      step: (name, work, options) => this.#steps.run(name, work, options),
      hide: (values) => {
        this.#hidden.use(redactor.add(values));
      },
      withoutSlot: (work) => this.#giveSlotBack(work),
    };
  }

  async #giveSlotBack<T>(work: () => Promise<T>): Promise<T> {
    this.#withoutSlot += 1;
    if (this.#withoutSlot === 1) {
      this.#slot.giveBack();
    }
    try {
      return await work();
    } finally {
      this.#withoutSlot -= 1;
      if (this.#withoutSlot === 0) {
        await this.#slot.claim();
      }
    }
  }
}

function countSteps(steps: readonly OperationStep[]): number {
  return steps.reduce((count, { folded = 1, steps: inner = [] }) => count + folded + countSteps(inner), 0);
}

function describeDeaths(startedAt: readonly Date[]): string {
  const times = startedAt.map((time) => time.toISOString()).join(", ");
  return (
    `The process that worked on the operation died ${startedAt.length} times in a row, before anything new was stored. ` +
    `Its attempts started at ${times}. The operation is not tried again, in case it is the reason.`
  );
}
