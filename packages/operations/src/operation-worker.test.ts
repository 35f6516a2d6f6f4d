import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@rad/core";
import { until } from "@rad/core/testing";
import { type Operation, StoreError, type NewOperation, type Store } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import { type OperationContext, OperationStopped } from "./operation-executor.ts";
import type { OperationWorker } from "./operation-worker.ts";
import { type StartOptions, untilAborted, WorkerKit } from "./testing/worker-kit.ts";

let kit: WorkerKit;
let store: Store;

beforeEach(async () => {
  kit = await WorkerKit.open((clock) => openTemporaryStore({ clock }));
  ({ store } = kit);
});

afterEach(() => kit[Symbol.asyncDispose]());

const start = (options?: StartOptions): OperationWorker => kit.start(options);
const enqueue = (over?: Partial<NewOperation>): Promise<string> => kit.enqueue(over);
const ended = (id: string): Promise<Operation> => kit.ended(id);

it("runs what is waiting and what arrives later", async () => {
  const early = await enqueue();
  start();
  const late = await enqueue();

  assert.deepEqual([(await ended(early)).state, (await ended(late)).state], ["Succeeded", "Succeeded"]);
});

it("never runs more at once than it has slots", async () => {
  let running = 0;
  let most = 0;
  const ids = await Promise.all(Array.from({ length: 12 }, () => enqueue()));
  start({
    slots: 3,
    run: async () => {
      most = Math.max(most, (running += 1));
      await sleep(2);
      running -= 1;
    },
  });

  await Promise.all(ids.map(ended));

  assert.equal(most, 3);
});

it("keeps a queue of concurrency 1 in order across workers", async () => {
  const queues = [{ name: "installer", concurrency: 1, fifo: true }];
  const order: string[] = [];
  let running = 0;
  const run = async (context: OperationContext): Promise<void> => {
    assert.equal((running += 1), 1);
    order.push(context.operation.id);
    await sleep(1);
    running -= 1;
  };
  start({ queues, run });
  start({ queues, run });

  const ids: string[] = [];
  for (let index = 0; index < 10; index += 1) {
    ids.push(await enqueue({ queue: "installer" }));
  }
  await Promise.all(ids.map(ended));

  assert.deepEqual(order, ids);
});

it("ends as Failed with the error's code and message", async () => {
  const id = await enqueue();
  start({
    run: async () => {
      throw new ApiError("Conflict", "no");
    },
  });

  const { state, error } = await ended(id);

  assert.deepEqual([state, error], ["Failed", { code: "Conflict", message: "no" }]);
});

it("hides in every part of the error what the work has hidden", async () => {
  const id = await enqueue();
  start({
    run: async (context) => {
      context.hide(["canary-41d7"]);
      const additionalInfo = [{ type: "Echo", info: { deep: ["it is canary-41d7"] } }];
      const details = [{ code: "Conflict", message: "canary-41d7", additionalInfo }];
      throw new ApiError("Conflict", "no canary-41d7", { details, additionalInfo });
    },
  });

  const { error } = await ended(id);

  assert.match(JSON.stringify(error), /it is /);
  assert.doesNotMatch(JSON.stringify(error), /canary/);
});

it("tries again what may pass, and gives up after the last attempt", async () => {
  let runs = 0;
  const id = await enqueue();
  start({
    maxAttempts: 2,
    run: async () => {
      runs += 1;
      throw new ApiError("ServiceUnavailable", "busy", { transient: true });
    },
  });

  const { state, attempt, error } = await ended(id);

  assert.deepEqual([runs, state, attempt], [2, "Failed", 2]);
  assert.deepEqual(error, { code: "ServiceUnavailable", message: "busy" });
});

for (const [what, thrown] of [
  ["an error that nobody expected", new TypeError("undefined is no canary")],
  ["a database that is away", new StoreError("Unavailable", "no canary at 10.0.0.1")],
] as const) {
  it(`tries ${what} again, and in the end tells nothing of it`, async () => {
    let runs = 0;
    const id = await enqueue();
    start({
      run: async () => {
        runs += 1;
        throw thrown;
      },
    });

    const { state, error } = await ended(id);

    assert.deepEqual([runs, state, error?.code], [3, "Failed", "Internal"]);
    assert.match(error?.message ?? "", /the server's log has the cause/);
    assert.doesNotMatch(error?.message ?? "", /canary/);
  });
}

it("succeeds when a later attempt does", async () => {
  let runs = 0;
  const id = await enqueue();
  start({
    run: async () => {
      runs += 1;
      if (runs < 3) {
        throw new Error("not yet");
      }
    },
  });

  const { state, attempt } = await ended(id);

  assert.deepEqual([state, attempt], ["Succeeded", 3]);
});

it("waits for as long as it is told between attempts", async () => {
  const attempts: number[] = [];
  const id = await enqueue();
  start({
    backoffMs: (attempt) => {
      attempts.push(attempt);
      return 1;
    },
    run: async () => {
      throw new Error("never");
    },
  });

  await ended(id);

  assert.deepEqual(attempts, [1, 2]);
});

it("cancels at the deadline and tells the work to stop", async () => {
  const id = await enqueue({ timeoutMs: 50 });
  let reason: unknown;
  start({
    run: async ({ signal }) => {
      await untilAborted(signal).catch((error: unknown) => {
        reason = error;
        throw error;
      });
    },
  });

  const { state, error } = await ended(id);

  assert.deepEqual([state, error?.code], ["Canceled", "OperationCanceled"]);
  assert.match(String(reason), /deadline/);
});

it("cancels an operation that never got its turn before the deadline", async () => {
  const id = await enqueue({ timeoutMs: 50 });
  kit.clock.aheadMs = 60_000;
  let ran = false;
  start({
    run: async () => {
      ran = true;
    },
  });

  assert.equal((await ended(id)).state, "Canceled");
  assert.equal(ran, false);
});

it("leaves work behind that ignores the deadline, and what it does later changes nothing", async () => {
  const id = await enqueue({ timeoutMs: 30 });
  const release = Promise.withResolvers<void>();
  let lateWrite: Promise<unknown> | undefined;
  start({
    graceMs: 20,
    run: async (context) => {
      await release.promise;
      lateWrite = context.write({});
      await lateWrite;
    },
  });

  assert.equal((await ended(id)).state, "Canceled");
  release.resolve();
  await until("the late write has been tried", () => lateWrite !== undefined);

  await assert.rejects(async () => await lateWrite, { code: "LeaseLost" });
  assert.equal((await store.operations.get(id))?.state, "Canceled");
});

it("stops a running operation when its cancellation is requested", async () => {
  const id = await enqueue();
  let started = false;
  start({
    run: async ({ signal }) => {
      started = true;
      await untilAborted(signal);
    },
  });
  await until("it has started", () => started);

  assert.equal(await store.operations.requestCancel(id, "changed my mind"), true);

  const { state, error } = await ended(id);
  assert.deepEqual([state, error?.code, error?.message], ["Canceled", "OperationCanceled", "changed my mind"]);
});

it("waits for cancelled work to come to rest where it may, but not when the process ends", async () => {
  const id = await enqueue();
  const release = Promise.withResolvers<void>();
  let started = false;
  let stopped: unknown;
  const worker = start({
    graceMs: 20,
    cancelGraceMs: Infinity,
    run: async ({ signal }) => {
      started = true;
      signal.addEventListener("abort", () => (stopped = signal.reason));
      await release.promise;
      signal.throwIfAborted();
    },
  });
  await until("it has started", () => started);
  await store.operations.requestCancel(id, "enough");
  await until("it was told", () => stopped instanceof OperationStopped && stopped.reason === "cancelled");
  await sleep(60); // longer than the grace that other reasons have

  assert.equal((await store.operations.get(id))?.state, "Updating");
  await worker.drain();
  release.resolve();

  assert.equal((await store.operations.get(id))?.state, "Accepted", "handed back");
});

it("ends cancelled work that has not come to rest by its deadline", async () => {
  const id = await enqueue({ timeoutMs: 200 });
  let started = false;
  start({
    graceMs: 20,
    cancelGraceMs: Infinity,
    run: async () => {
      started = true;
      await new Promise<never>(() => {});
    },
  });
  await until("it has started", () => started);
  await store.operations.requestCancel(id, "enough");

  const { state, error } = await ended(id);

  assert.equal(state, "Canceled");
  assert.equal(error?.message, "enough");
});

it("hands running work back when it drains, without counting the attempt", async () => {
  const id = await enqueue();
  let started = false;
  const worker = start({
    run: async ({ signal }) => {
      started = true;
      await untilAborted(signal);
    },
  });
  await until("it has started", () => started);

  await worker.drain();

  const waiting = await store.operations.get(id);
  assert.deepEqual([waiting?.state, waiting?.attempt], ["Accepted", 0]);
  start();
  assert.deepEqual([(await ended(id)).state, (await ended(id)).attempt], ["Succeeded", 1]);
});

it("leaves no timer behind when it drains at the moment in which work has ended", async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const drained = Promise.withResolvers<void>();
  const worker = start({ graceMs: 3_600_000, onFinished: () => drained.resolve(worker.drain()) });
  await enqueue();

  await drained.promise;

  assert.equal(timers(), before);
});

it("lets work that finishes while draining finish", async () => {
  const id = await enqueue();
  const release = Promise.withResolvers<void>();
  let started = false;
  const worker = start({
    run: async () => {
      started = true;
      await release.promise;
    },
  });
  await until("it has started", () => started);

  const drained = worker.drain();
  release.resolve();
  await drained;

  assert.equal((await store.operations.get(id))?.state, "Succeeded");
});

it("drops the result of a worker whose lease was taken over", async () => {
  const id = await enqueue();
  const release = Promise.withResolvers<void>();
  let runs = 0;
  const run = async (context: OperationContext): Promise<void> => {
    runs += 1;
    if (runs === 1) {
      await release.promise;
      await context.write({ audit: [] });
    }
  };
  start({ run, slots: 1 });
  await until("the first attempt has run", () => runs === 1);
  kit.clock.aheadMs = 120_000; // the first lease runs out unrenewed
  start({ run, slots: 1 });
  const first = await ended(id);
  release.resolve();
  await sleep(10);

  assert.deepEqual([runs, first.state, first.attempt], [2, "Succeeded", 1]);
  assert.deepEqual(await store.operations.get(id), first);
});

it("takes back the death of a worker that lost its lease and lives", async () => {
  const id = await enqueue();
  const releases = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    await releases[runs - 1]?.promise;
  };
  const deaths = async (): Promise<number | undefined> => (await store.operations.get(id))?.deaths.length;
  start({ run, slots: 1 });
  await until("the first attempt has run", () => runs === 1);
  kit.clock.aheadMs = 120_000; // the first lease runs out unrenewed
  start({ run, slots: 1 });
  await until("the first worker counts as dead", async () => runs === 2 && (await deaths()) === 1);

  releases[0]?.resolve();

  await until("it does not any more", async () => (await deaths()) === 0);
  releases[1]?.resolve();
  await ended(id);
});

it("gives up on an operation that took every worker down with it", async () => {
  const id = await enqueue();
  for (let crash = 0; crash < 3; crash += 1) {
    await store.operations.take({ owner: `dead-${crash}`, leaseMs: 1, queues: [{ name: "q" }] });
    kit.clock.aheadMs += 1_000;
  }
  let ran = false;
  start({
    maxAttempts: 3,
    run: async () => {
      ran = true;
    },
  });

  const { state, error } = await ended(id);

  assert.deepEqual([state, error?.code, ran], ["Failed", "Internal", false]);
  assert.match(error?.message ?? "", /died 3 times in a row.* at (\d{4}-\d\d-\d\dT[\d:.]+Z(, )?){3}\./);
});

it("renews its lease for as long as the work takes", async () => {
  const id = await enqueue();
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
    await sleep(400);
  };
  start({ run, leaseMs: 120 });
  start({ run, leaseMs: 120 });

  await ended(id);

  assert.equal(runs, 1);
});
