import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { silentLogger } from "@rad/core";
import { until } from "@rad/core/testing";
import type { Store } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import type { Outcome } from "./operation-executor.ts";
import { runFamilies } from "./testing/families.ts";
import { newOperation, untilAborted, WorkerKit } from "./testing/worker-kit.ts";

let kit: WorkerKit;
let store: Store;

beforeEach(async () => {
  kit = await WorkerKit.open((clock) => openTemporaryStore({ clock }));
  ({ store } = kit);
});

afterEach(() => kit[Symbol.asyncDispose]());

/** Nothing happens but by event or timer. */
const noPoll = { pollMs: 3_600_000 };

it("a parent that waits for a child of its own queue leaves it the only slot", async () => {
  const child = newOperation({ kind: "child" });
  let runs = 0;
  const id = await kit.enqueue({ kind: "parent" });
  kit.start({
    ...noPoll,
    slots: 1,
    run: async ({ operation }) => {
      runs += 1;
      const isFirst = operation.kind === "parent" && runs === 1;
      return isFirst ? { kind: "waiting", for: [child.id], change: { operation: child } } : undefined;
    },
  });

  const { state, attempt } = await kit.ended(id);

  assert.deepEqual([state, attempt, runs], ["Succeeded", 1, 3]);
  assert.equal((await store.operations.get(child.id))?.state, "Succeeded");
});

it("a thousand parents that each wait for a child of the same queue finish with two slots", async () => {
  const states = await runFamilies(kit, { parents: 1_000, slots: 2 });

  assert.deepEqual(states, new Map([["Succeeded", 2_000]]));
});

it("an operation that is to run again does so in time, as often as it asks, and others run meanwhile", async () => {
  let runs = 0;
  const id = await kit.enqueue({ kind: "again" });
  const other = await kit.enqueue({ kind: "other" });
  kit.start({
    ...noPoll,
    slots: 1,
    maxAttempts: 1,
    run: async ({ operation }) => {
      runs += 1;
      const isOver = operation.kind === "other" || runs > 5;
      return isOver ? undefined : { kind: "again", afterMs: 5 };
    },
  });

  const { state, attempt } = await kit.ended(id);

  assert.deepEqual([state, attempt], ["Succeeded", 1]);
  assert.equal((await kit.ended(other)).state, "Succeeded");
});

it("a worker that starts later keeps the appointments of those before it", async () => {
  const id = await kit.enqueue();
  const leased = await store.operations.take({ owner: "earlier", leaseMs: 60_000, queues: [{ name: "q" }] });
  assert.ok(leased);
  await store.write({ lease: leased.lease, park: { kind: "again", afterMs: 30 } });

  kit.start(noPoll);

  assert.equal((await kit.ended(id)).state, "Succeeded");
});

for (const [what, outcome] of [
  ["waits", (id: string): Outcome => ({ kind: "waiting", for: [id] })],
  ["pauses", (): Outcome => ({ kind: "again", afterMs: 3_600_000 })],
] as const) {
  it(`an operation that ${what} ends when it is cancelled`, async () => {
    const endless = await kit.enqueue({ queue: "nobody" });
    const id = await kit.enqueue();
    kit.start({ ...noPoll, run: async () => outcome(endless) });
    await untilParked();

    await store.operations.requestCancel(id, "enough");

    const { state, error } = await kit.ended(id);
    assert.deepEqual([state, error?.message], ["Canceled", "enough"]);
  });

  it(`an operation that ${what} ends at its deadline`, async () => {
    const endless = await kit.enqueue({ queue: "nobody" });
    const id = await kit.enqueue({ timeoutMs: 50 });
    kit.start({ ...noPoll, run: async () => outcome(endless) });

    assert.equal((await kit.ended(id)).state, "Canceled");
  });
}

it("an operation that waits again and again for what has ended is slowed down, and others are not", async () => {
  const over = await kit.enqueue({ queue: "nobody" });
  await store.write({ supersede: over });
  const pauses: number[] = [];
  kit.start({
    ...noPoll,
    slots: 1,
    run: async ({ operation }) => {
      if (operation.kind === "honest") {
        const child = newOperation({ kind: "child" });
        const isOver = (honest += 1) > 10;
        return isOver ? undefined : { kind: "waiting", for: [child.id], change: { operation: child } };
      }
      return operation.kind === "idle" ? { kind: "waiting", for: [over] } : undefined;
    },
    log: {
      ...silentLogger,
      child: () => ({ ...silentLogger, warn: (_, { afterMs } = {}) => pauses.push(Number(afterMs)) }),
    },
  });
  let honest = 0;
  const idle = await kit.enqueue({ kind: "idle" });
  await until("it was slowed down twice", () => pauses.length >= 2);

  assert.equal((await kit.ended(await kit.enqueue({ kind: "honest" }))).state, "Succeeded");
  await store.operations.requestCancel(idle, "enough");

  assert.equal((await kit.ended(idle)).state, "Canceled");
  assert.deepEqual(pauses.slice(0, 2), [100, 200]);
});

it("an operation that was cancelled before it began to wait does not begin", async () => {
  const endless = await kit.enqueue({ queue: "nobody" });
  const id = await kit.enqueue();
  kit.start({
    ...noPoll,
    run: async ({ signal }) => {
      void store.operations.requestCancel(id, "enough");
      await untilAborted(signal).catch(() => {});
      return { kind: "waiting", for: [endless] };
    },
  });

  assert.equal((await kit.ended(id)).state, "Canceled");
});

it("operations that wait for each other fail with the resources on the way", async () => {
  const one = newOperation({ resourceId: "/planes/radius/local/resourceGroups/g/providers/A.B/things/one" });
  const two = newOperation({ resourceId: "/planes/radius/local/resourceGroups/g/providers/A.B/things/two" });
  await store.write({ operation: one });
  await store.write({ operation: two });
  let runs = 0;
  kit.start({
    ...noPoll,
    slots: 1,
    run: async ({ operation }) => {
      runs += 1;
      return runs > 2 ? undefined : { kind: "waiting", for: [operation.id === one.id ? two.id : one.id] };
    },
  });

  const failed = await kit.ended(two.id);
  const freed = await kit.ended(one.id);

  assert.deepEqual([failed.state, failed.error?.code, freed.state], ["Failed", "Conflict", "Succeeded"]);
  const path = [two, one, two].map(({ resourceId }) => resourceId).join(" → ");
  assert.match(failed.error?.message ?? "", new RegExp(path));
});

it("what runs without a slot leaves it to others, and gets one again before they do", async () => {
  const order: string[] = [];
  const release = Promise.withResolvers<void>();
  const waiting = await kit.enqueue({ kind: "waiting" });
  await kit.enqueue({ kind: "first" });
  kit.start({
    ...noPoll,
    slots: 1,
    run: async (context) => {
      const { operation } = context;
      order.push(operation.kind);
      if (operation.kind === "waiting") {
        await context.withoutSlot(() => release.promise);
        order.push("went on");
      } else if (operation.kind === "first") {
        await kit.enqueue({ kind: "second" });
        release.resolve();
        await sleep(5);
      }
    },
  });

  await kit.ended(waiting);
  await until("all four have run", () => order.length === 4);

  assert.deepEqual(order, ["waiting", "first", "went on", "second"]);
});

it("no more run at once than there are slots, those aside that run without one", async () => {
  let running = 0;
  let most = 0;
  const busy = async (): Promise<void> => {
    most = Math.max(most, (running += 1));
    await sleep(1);
    running -= 1;
  };
  const ids = await Promise.all(Array.from({ length: 30 }, () => kit.enqueue()));
  kit.start({
    slots: 3,
    run: async (context) => {
      await busy();
      await context.withoutSlot(() => sleep(2));
      await busy();
    },
  });

  await Promise.all(ids.map((id) => kit.ended(id)));

  assert.equal(most, 3);
});

it("what runs without a slot is handed back when the worker drains", async () => {
  const id = await kit.enqueue();
  let started = false;
  const worker = kit.start({
    run: async (context) => {
      await context.withoutSlot(() => {
        started = true;
        return untilAborted(context.signal);
      });
    },
  });
  await until("it has started", () => started);

  await worker.drain();

  const { state, attempt } = (await store.operations.get(id)) ?? {};
  assert.deepEqual([state, attempt], ["Accepted", 0]);
});

it("work that ignores its signal without a slot is left behind, and holds none afterwards", async () => {
  const id = await kit.enqueue({ timeoutMs: 30, kind: "stuck" });
  const release = Promise.withResolvers<void>();
  kit.start({
    slots: 1,
    graceMs: 10,
    run: async (context) => {
      if (context.operation.kind === "stuck") {
        await context.withoutSlot(() => release.promise);
      }
    },
  });

  const { state } = await kit.ended(id);
  release.resolve();

  assert.equal(state, "Canceled");
  assert.equal((await kit.ended(await kit.enqueue())).state, "Succeeded");
  assert.equal((await kit.ended(await kit.enqueue())).state, "Succeeded");
});

function untilParked(): Promise<boolean> {
  return until("an operation is parked", async () =>
    (await store.operations.depths()).some(({ parked }) => parked > 0),
  );
}
