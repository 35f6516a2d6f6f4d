import { type Lease, type LeasedOperation, type Operation, type QueueRule, StoreError } from "@rad/store";
import { Alarm } from "./alarm.ts";
import { IdleParks } from "./idle-parks.ts";
import { OperationRun, type OperationRunDeps, type RunResult } from "./operation-run.ts";
import { Slot } from "./slot.ts";
import { WakeUp } from "./wake-up.ts";

export interface OperationWorkerOptions extends OperationRunDeps {
  /** Unique to this process and this start. */
  readonly owner: string;
  readonly queues: readonly QueueRule[];
  /** Operations this process runs at once, those not counted that wait `withoutSlot`. */
  readonly slots: number;
  /** How often to look for work that no event announces, such as leases that ran out. */
  readonly pollMs: number;
  /** Runs an attempt inside something, such as a span. */
  readonly around?: (operation: Operation, work: () => Promise<RunResult>) => Promise<RunResult>;
  /** Called for every attempt to take work that the store's absence makes fail. */
  readonly onStoreAway?: (error: StoreError) => void;
  /** Called for the first attempt that does not fail any more. */
  readonly onStoreBack?: () => void;
  readonly onFinished?: (operation: Operation, result: RunResult, durationMs: number) => void;
}

/**
 * Takes operations from the store and runs them, `slots` at a time. Each slot takes, runs until the run has ended or
 * gives the slot back, and takes again until nothing is ready; then it sleeps until the store announces work, a pause
 * is over or the poll timer fires. Runs that want a slot back come before new operations.
 */
export class OperationWorker {
  readonly #options: OperationWorkerOptions;
  readonly #wakeUp = new WakeUp();
  readonly #running = new Map<string, OperationRun>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #returning: Slot[] = [];
  readonly #alarm: Alarm;
  readonly #cleanup = new DisposableStack();
  readonly #slots: Promise<void>[];
  #draining = false;
  #isStoreAway = false;

  constructor(options: OperationWorkerOptions) {
    this.#options = { idleParks: new IdleParks(), ...options };
    const queues = new Set(options.queues.map(({ name }) => name));
    this.#alarm = this.#cleanup.use(
      new Alarm(() => {
        this.#wakeUp.some(options.slots, options.slots);
        void this.#lookAhead();
      }),
    );
    this.#cleanup.use(
      options.store.subscribe((event) => {
        if (event.kind === "work" && queues.has(event.queue)) {
          this.#wakeUp.some(event.count ?? 1, options.slots);
        } else if (event.kind === "cancel") {
          this.#running.get(event.operationId)?.stop("cancelled");
        }
      }),
    );
    const poll = setInterval(() => {
      this.#wakeUp.some(1, options.slots);
      void this.#lookAhead();
    }, options.pollMs);
    void this.#lookAhead();
    this.#cleanup.defer(() => clearInterval(poll));
    this.#slots = Array.from({ length: options.slots }, () => this.#runSlot());
  }

  /**
   * Takes nothing more, asks what runs to stop, and hands it back so that another process or the next start goes on.
   * Resolves when nothing runs any more.
   */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#wakeUp.all();
    for (const run of this.#running.values()) {
      run.stop("drained");
    }
    this.#returning.splice(0).forEach((slot) => slot.grant());
    await Promise.all(this.#slots);
    await Promise.all(this.#underWay);
    this.#cleanup.dispose();
  }

  async #runSlot(): Promise<void> {
    while (!this.#draining) {
      const slot = this.#nextReturning() ?? (await this.#startNext());
      if (slot !== undefined) {
        await slot.whenFree;
      } else if (!this.#draining) {
        await this.#wakeUp.wait();
      }
    }
  }

  #nextReturning(): Slot | undefined {
    for (let slot = this.#returning.shift(); slot !== undefined; slot = this.#returning.shift()) {
      if (slot.grant()) {
        return slot;
      }
    }
    return undefined;
  }

  async #startNext(): Promise<Slot | undefined> {
    const leased = await this.#take();
    if (leased === undefined) {
      return undefined;
    }
    const slot = new Slot((wanted) => this.#wantSlot(wanted));
    const run = this.#run(leased, slot).finally(() => {
      this.#underWay.delete(run);
      slot.end();
    });
    this.#underWay.add(run);
    return slot;
  }

  #wantSlot(slot: Slot): void {
    if (this.#draining) {
      slot.grant(); // there is nothing left to share with
      return;
    }
    this.#returning.push(slot);
    this.#wakeUp.some(1, this.#options.slots);
  }

  /** Sets the alarm for what becomes ready by time alone: pauses of earlier starts and of other processes. */
  async #lookAhead(): Promise<void> {
    const { store, queues } = this.#options;
    try {
      const ms = await store.operations.dueInMs(queues.map(({ name }) => name));
      if (ms !== undefined) {
        this.#alarm.ringIn(ms);
      }
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      } // the next poll looks again
    }
  }

  async #take(): Promise<LeasedOperation | undefined> {
    const { store, owner, leaseMs, queues, clock, onStoreAway, onStoreBack } = this.#options;
    try {
      const taken = await store.operations.take({ owner, leaseMs, queues });
      if (this.#isStoreAway) {
        this.#isStoreAway = false;
        onStoreBack?.();
      }
      return taken;
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
      this.#isStoreAway = true;
      onStoreAway?.(error);
      await clock.sleep(500);
      return undefined;
    }
  }

  /** Says, as soon as the store can hear it, that it was not the process that died. */
  async #outlive(lease: Lease): Promise<void> {
    const { store, clock } = this.#options;
    for (;;) {
      try {
        return await store.operations.outlive(lease);
      } catch (error) {
        if (!(error instanceof StoreError)) {
          throw error;
        }
        if (this.#draining) {
          return;
        }
        await clock.sleep(500);
      }
    }
  }

  async #run(leased: LeasedOperation, slot: Slot): Promise<void> {
    const { log, onFinished, around = (_, work) => work() } = this.#options;
    const run = new OperationRun(this.#options, leased, slot);
    const startedAt = performance.now();
    this.#running.set(leased.operation.id, run);
    if (this.#draining) {
      run.stop("drained"); // taken while the drain began
    }
    try {
      const result = await around(leased.operation, () => run.execute());
      log.debug("operation left the worker", { operation: leased.operation.id, result });
      if (result === "leaseLost") {
        await this.#outlive(leased.lease);
      }
      if (run.readyInMs !== undefined) {
        this.#alarm.ringIn(run.readyInMs);
      }
      onFinished?.(leased.operation, result, performance.now() - startedAt);
    } catch (error) {
      // The lease runs out by itself and the operation is taken again, here or elsewhere.
      log.error("operation could not be brought to an end", { operation: leased.operation.id, error });
      await this.#outlive(leased.lease);
    } finally {
      // A parked operation may have been taken again before this run is over.
      if (this.#running.get(leased.operation.id) === run) {
        this.#running.delete(leased.operation.id);
      }
    }
  }
}
