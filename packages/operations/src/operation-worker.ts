import { type LeasedOperation, type Operation, type QueueRule, StoreError } from "@rad/store";
import { setTimeout as sleep } from "node:timers/promises";
import { OperationRun, type OperationRunDeps, type RunResult } from "./operation-run.ts";
import { WakeUp } from "./wake-up.ts";

export interface OperationWorkerOptions extends OperationRunDeps {
  /** Unique to this process and this start. */
  readonly owner: string;
  readonly queues: readonly QueueRule[];
  /** Operations this process runs at once. */
  readonly slots: number;
  /** How often to look for work that no event announces: back-off that ended, leases that ran out. */
  readonly pollMs: number;
  /** Runs an attempt inside something, such as a span. */
  readonly around?: (operation: Operation, work: () => Promise<RunResult>) => Promise<RunResult>;
  readonly onFinished?: (operation: Operation, result: RunResult, durationMs: number) => void;
}

/**
 * Takes operations from the store and runs them, `slots` at a time. Each slot takes, runs, and takes again until
 * nothing is ready, then sleeps until the store announces work or the poll timer fires.
 */
export class OperationWorker {
  readonly #options: OperationWorkerOptions;
  readonly #wakeUp = new WakeUp();
  readonly #running = new Map<string, OperationRun>();
  readonly #cleanup = new DisposableStack();
  readonly #slots: Promise<void>[];
  #draining = false;

  constructor(options: OperationWorkerOptions) {
    this.#options = options;
    const queues = new Set(options.queues.map(({ name }) => name));
    this.#cleanup.use(
      options.store.subscribe((event) => {
        if (event.kind === "work" && queues.has(event.queue)) {
          this.#wakeUp.one(options.slots);
        } else if (event.kind === "cancel") {
          this.#running.get(event.operationId)?.stop("cancelled");
        }
      }),
    );
    const poll = setInterval(() => this.#wakeUp.one(options.slots), options.pollMs);
    this.#cleanup.defer(() => clearInterval(poll));
    this.#slots = Array.from({ length: options.slots }, () => this.#runSlot());
  }

  /**
   * Takes nothing more, asks what runs to stop, and hands it back so that another process or the next start goes on.
   * Resolves when every slot is empty.
   */
  async drain(): Promise<void> {
    this.#draining = true;
    this.#wakeUp.all();
    for (const run of this.#running.values()) {
      run.stop("drained");
    }
    await Promise.all(this.#slots);
    this.#cleanup.dispose();
  }

  async #runSlot(): Promise<void> {
    while (!this.#draining) {
      const leased = await this.#take();
      if (leased !== undefined) {
        await this.#run(leased);
      } else if (!this.#draining) {
        await this.#wakeUp.wait();
      }
    }
  }

  async #take(): Promise<LeasedOperation | undefined> {
    const { store, owner, leaseMs, queues, log } = this.#options;
    try {
      return await store.operations.take({ owner, leaseMs, queues });
    } catch (error) {
      if (!(error instanceof StoreError)) {
        throw error;
      }
      log.warn("no work can be taken while the store is away", { code: error.code, error });
      await sleep(500);
      return undefined;
    }
  }

  async #run(leased: LeasedOperation): Promise<void> {
    const { log, onFinished, around = (_, work) => work() } = this.#options;
    const run = new OperationRun(this.#options, leased);
    const startedAt = performance.now();
    this.#running.set(leased.operation.id, run);
    if (this.#draining) {
      run.stop("drained"); // taken while the drain began
    }
    try {
      const result = await around(leased.operation, () => run.execute());
      log.debug("operation left the worker", { operation: leased.operation.id, result });
      onFinished?.(leased.operation, result, performance.now() - startedAt);
    } catch (error) {
      // The lease runs out by itself and the operation is taken again, here or elsewhere.
      log.error("operation could not be brought to an end", { operation: leased.operation.id, error });
    } finally {
      this.#running.delete(leased.operation.id);
    }
  }
}
