import { randomUUID } from "node:crypto";
import { type Clock, Redactor, silentLogger } from "@rad/core";
import { MovingClock, until, type UntilOptions } from "@rad/core/testing";
import type { NewOperation, Operation, Store } from "@rad/store";
import type { OperationContext, OperationExecutor, Outcome } from "../operation-executor.ts";
import { OperationWorker, type OperationWorkerOptions } from "../operation-worker.ts";

const done: Outcome = { kind: "done", ending: {} };

export interface StartOptions extends Partial<Omit<OperationWorkerOptions, "store">> {
  /** For work without an executor of its own. Nothing in return means that it is done. */
  readonly run?: (context: OperationContext) => Promise<Outcome | void>;
}

/** Workers on one store, with a clock that the test moves. */
export class WorkerKit implements AsyncDisposable {
  readonly store: Store;
  /** The store's and the workers'. */
  readonly clock: MovingClock;
  readonly #workers: OperationWorker[] = [];

  private constructor(store: Store, clock: MovingClock) {
    this.store = store;
    this.clock = clock;
  }

  /** The kit closes the store when it goes. */
  static async open(openStore: (clock: Clock) => Promise<Store>, clock = new MovingClock()): Promise<WorkerKit> {
    return new WorkerKit(await openStore(clock), clock);
  }

  start({ run = async () => {}, ...options }: StartOptions = {}): OperationWorker {
    const executor: OperationExecutor = {
      run: async (context) => (await run(context)) ?? done,
      conclude: async () => ({}),
    };
    const worker = new OperationWorker({
      store: this.store,
      executor,
      clock: this.clock,
      log: silentLogger,
      redactor: new Redactor(),
      owner: randomUUID(),
      queues: [{ name: "q" }],
      slots: 4,
      leaseMs: 60_000,
      maxAttempts: 3,
      maxDeaths: 3,
      graceMs: 5_000,
      pollMs: 10,
      backoffMs: () => 1,
      ...options,
    });
    this.#workers.push(worker);
    return worker;
  }

  async enqueue(over: Partial<NewOperation> = {}): Promise<string> {
    const operation = newOperation(over);
    await this.store.write({ operation });
    return operation.id;
  }

  async ended(id: string, options?: UntilOptions): Promise<Operation> {
    return await until(
      `operation '${id}' has ended`,
      async () => {
        const operation = await this.store.operations.get(id);
        return operation?.endedAt === undefined ? undefined : operation;
      },
      options,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.drain()));
    await this.store[Symbol.asyncDispose]();
  }
}

export function newOperation(over: Partial<NewOperation> = {}): NewOperation {
  return {
    id: randomUUID(),
    resourceId: "/planes/radius/local/resourcegroups/g/providers/A.B/things/t",
    kind: "put",
    apiVersion: "2025-01-01",
    queue: "q",
    timeoutMs: 3_600_000,
    caller: "test",
    correlationId: "c",
    ...over,
  };
}

export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}
