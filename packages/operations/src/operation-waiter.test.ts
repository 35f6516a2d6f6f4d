import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { LeasedOperation, Store, StoreEvent } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import { OperationWaiter } from "./operation-waiter.ts";

const resourceId = "/planes/radius/local/resourceGroups/g/providers/Test.Waiting/works/one";
const never = new AbortController().signal;
/** Far beyond any test: what is not to look by itself. */
const neverMs = 3_600_000;

async function begin(store: Store, id: string): Promise<LeasedOperation> {
  await store.write({
    operation: {
      id,
      resourceId,
      kind: "put",
      apiVersion: "2025-01-01",
      queue: "q",
      timeoutMs: 60_000,
      caller: "somebody",
      correlationId: "c",
    },
  });
  const leased = await store.operations.take({ owner: "test", leaseMs: 60_000, queues: [{ name: "q" }] });
  assert.ok(leased !== undefined);
  return leased;
}

function end(store: Store, { lease }: LeasedOperation): Promise<unknown> {
  return store.write({ lease, outcome: { state: "Succeeded" } });
}

it("an operation that has ended already is not waited for", async () => {
  await using store = await openTemporaryStore();
  using waiter = new OperationWaiter({ store, pollMs: neverMs });
  await end(store, await begin(store, "a"));

  assert.equal((await waiter.wait("a", never))?.state, "Succeeded");
});

it("an operation that nobody remembers is not waited for either", async () => {
  await using store = await openTemporaryStore();
  using waiter = new OperationWaiter({ store, pollMs: neverMs });

  assert.equal(await waiter.wait("unknown", never), undefined);
});

it("the end of an operation wakes everybody who waits for it", async () => {
  await using store = await openTemporaryStore();
  using waiter = new OperationWaiter({ store, pollMs: neverMs });
  const leased = await begin(store, "a");
  const waits = [waiter.wait("a", never), waiter.wait("a", never)];

  await end(store, leased);

  assert.deepEqual(
    (await Promise.all(waits)).map((operation) => operation?.state),
    ["Succeeded", "Succeeded"],
  );
});

it("an attempt that did not end the operation wakes nobody", async () => {
  await using store = await openTemporaryStore();
  using waiter = new OperationWaiter({ store, pollMs: neverMs });
  const { lease } = await begin(store, "a");
  const wait = waiter.wait("a", never);

  await store.operations.handBack(lease);
  await sleep(10);

  assert.equal(await Promise.race([wait, Promise.resolve("waiting")]), "waiting");
  await store.write({ supersede: "a" });
  assert.equal((await wait)?.state, "Canceled");
});

it("whoever watches an operation sees how it gets on, until they leave", async () => {
  await using store = await openTemporaryStore();
  using waiter = new OperationWaiter({ store, pollMs: neverMs });
  const { lease } = await begin(store, "a");
  const seen: string[] = [];
  const watching = waiter.watch("a", ({ state, steps }) =>
    seen.push(`${state} ${steps.map(({ name }) => name).join()}`),
  );
  await sleep(5);

  await store.operations.progress(lease, [{ name: "init", state: "Running", startTime: "2026-01-01T00:00:00Z" }]);
  await sleep(5);
  await store.write({ lease, outcome: { state: "Failed", error: { code: "BadRequest", message: "no" } } });
  await sleep(5);
  watching[Symbol.dispose]();

  assert.deepEqual(seen, ["Updating ", "Updating init", "Failed init"]);
});

it("events that were lost make it look at everything", async () => {
  await using store = await openTemporaryStore();
  const listeners: ((event: StoreEvent) => void)[] = [];
  const silent = {
    operations: store.operations,
    subscribe: (listener: (event: StoreEvent) => void) => {
      listeners.push(listener);
      return { [Symbol.dispose]: () => {} };
    },
  } as unknown as Store;
  using waiter = new OperationWaiter({ store: silent, pollMs: neverMs });
  const leased = await begin(store, "a");
  const wait = waiter.wait("a", never);
  await sleep(5);

  await end(store, leased);
  listeners.forEach((listener) => listener({ kind: "document", type: "*" }));

  assert.equal((await wait)?.state, "Succeeded");
});

it("the poll finds what no event announced", async () => {
  await using store = await openTemporaryStore();
  using waiter = new OperationWaiter({ store, pollMs: 5 });
  const leased = await begin(store, "a");
  const wait = waiter.wait("a", never);

  await end(store, leased);

  assert.equal((await wait)?.state, "Succeeded");
});

it("a signal ends the wait with its reason", async () => {
  await using store = await openTemporaryStore();
  using waiter = new OperationWaiter({ store, pollMs: neverMs });
  await begin(store, "a");
  const stop = new AbortController();
  const wait = waiter.wait("a", stop.signal);
  const reason = new Error("drained");

  stop.abort(reason);

  await assert.rejects(wait, reason);
  await assert.rejects(waiter.wait("a", stop.signal), reason);
});

it("looks at an operation once at a time, and once more for all that happens meanwhile", async () => {
  await using store = await openTemporaryStore();
  const leased = await begin(store, "a");
  const looks: PromiseWithResolvers<void>[] = [];
  const slow = {
    subscribe: () => ({ [Symbol.dispose]: () => {} }),
    operations: {
      get: async (id: string) => {
        const found = await store.operations.get(id);
        const look = Promise.withResolvers<void>();
        looks.push(look);
        await look.promise;
        return found;
      },
    },
  } as unknown as Store;
  using waiter = new OperationWaiter({ store: slow, pollMs: 1 });

  const waits = Array.from({ length: 100 }, () => waiter.wait("a", never));
  await sleep(20);
  const looksAtFirst = looks.length;
  await end(store, leased);
  looks[0]?.resolve();
  await sleep(5);
  looks[1]?.resolve();
  const states = new Set((await Promise.all(waits)).map((operation) => operation?.state));

  assert.equal(looksAtFirst, 1);
  assert.deepEqual([...states], ["Succeeded"]);
  assert.equal(looks.length, 2);
});
