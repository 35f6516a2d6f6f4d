import assert from "node:assert/strict";
import { it } from "node:test";
import type { Lease, LeasedOperation, NewOperation, Park, QueueRule, Store, StoreEvent } from "../../store.ts";
import { accept, containerId, input, operation } from "./fixture.ts";
import type { OpenFixture } from "./fixture.ts";
import { oldKey } from "./keys.ts";

const leaseMs = 30_000;
const failure = { code: "Internal", message: "It broke." };

export function describeParking(name: string, open: OpenFixture): void {
  it(`${name} runs an operation again after its pause, without counting the attempt`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const leased = await begin(store);

    await park(store, leased, { kind: "again", afterMs: 10_000 });
    const early = await take(store);
    const dueInMs = await store.operations.dueInMs(["other", "default"]);
    await fixture.advance(10_001);
    const again = await take(store);

    assert.equal(early, undefined);
    assert.ok(dueInMs !== undefined && dueInMs > 0 && dueInMs <= 10_000, String(dueInMs));
    assert.equal(await store.operations.dueInMs(["default"]), undefined);
    assert.deepEqual([again?.operation.id, again?.operation.attempt], [leased.operation.id, 1]);
    await assert.rejects(store.write({ lease: leased.lease }), { code: "LeaseLost" });
  });

  it(`${name} runs an operation again when the last one it waits for has ended, however that ended`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const parent = await begin(store);
    const first = await begin(store);
    const second = await begin(store);
    await park(store, parent, waitFor(first, second, first));
    const events = listen(store);

    const parked = await store.operations.get(parent.operation.id);
    await end(store, first.lease);
    const between = await take(store);
    await store.write({ lease: second.lease, outcome: { state: "Failed", error: failure } });
    const woken = await take(store);

    assert.deepEqual([parked?.state, parked?.attempt, parked?.endedAt], ["Updating", 0, undefined]);
    assert.equal(between, undefined);
    assert.deepEqual([woken?.operation.id, woken?.operation.attempt], [parent.operation.id, 1]);
    const work = { kind: "work", queue: "default" };
    assert.deepEqual(events, [
      { kind: "ended", operationId: first.operation.id },
      work,
      { kind: "ended", operationId: second.operation.id },
      work,
      { ...work, count: 1 },
    ]);
  });

  it(`${name} parks in the transaction of the change, or does neither`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const parent = await begin(store);
    const put = (id: string, expect: "any" | { etag: string }) =>
      store.write({
        document: { kind: "put", input: input(id), expect },
        lease: parent.lease,
        park: { kind: "again", afterMs: 60_000 },
      });

    await assert.rejects(put(containerId("refused"), { etag: "32-other" }), { code: "EtagMismatch" });
    assert.equal((await store.operations.depths())[0]?.running, 1);
    await put(containerId("kept"), "any");

    assert.ok(await store.get(containerId("kept")));
    assert.deepEqual(await store.operations.depths(), [{ queue: "default", waiting: 0, running: 0, parked: 1 }]);
  });

  it(`${name} accepts an operation and waits for it in one write`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const parent = await begin(store);
    const child = operation();

    await store.write({ lease: parent.lease, operation: child, park: { kind: "waiting", for: [child.id] } });
    const only = await take(store);
    const none = await take(store);
    assert.ok(only);
    await end(store, only.lease);

    assert.deepEqual([only.operation.id, none], [child.id, undefined]);
    assert.equal((await take(store))?.operation.id, parent.operation.id);
  });

  it(`${name} does not wait for what has ended, was removed or never was`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const removed = await begin(store);
    await end(store, removed.lease);
    await fixture.advance(1_000);
    await store.operations.prune(500);
    const ended = await begin(store);
    await end(store, ended.lease);
    const parent = await begin(store);

    await store.write({
      lease: parent.lease,
      park: { kind: "waiting", for: [removed.operation.id, ended.operation.id, "never-was"] },
    });
    const first = await taken(store);
    await park(store, first, { kind: "waiting", for: [] });
    const second = await taken(store);

    assert.deepEqual([first.operation.id, second.operation.id], [parent.operation.id, parent.operation.id]);
    assert.equal(second.operation.attempt, 1);
  });

  it(`${name} wakes what waits for an operation whose place another one takes`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const parent = await begin(store);
    const child = await begin(store);
    await park(store, parent, waitFor(child));

    await store.write({ supersede: child.operation.id });

    assert.equal((await take(store))?.operation.id, parent.operation.id);
  });

  it(`${name} forgets what a superseded operation waited for`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const parent = await begin(store);
    const child = await begin(store);
    await park(store, parent, waitFor(child));

    await store.write({ supersede: parent.operation.id });
    await end(store, child.lease);

    assert.equal((await store.operations.get(parent.operation.id))?.state, "Canceled");
    assert.equal(await take(store), undefined);
  });

  it(`${name} asks what an operation has started in a queue to stop, in the write that ends it`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const parent = await begin(store);
    const awaitedBy = parent.operation.id;
    const parked = await begin(store, { awaitedBy, queue: "deployments" });
    const other = await begin(store);
    await park(store, parked, waitFor(other));
    const ended = await begin(store, { awaitedBy, queue: "deployments" });
    await end(store, ended.lease);
    await accept(store, { awaitedBy, queue: "elsewhere" });
    await accept(store, { queue: "deployments" });
    await park(store, parent, waitFor(parked));
    const events = listen(store);

    await store.write({ supersede: awaitedBy, cancel: { awaitedBy, queue: "deployments", reason: "no use" } });
    const queues = [{ name: "elsewhere" }, { name: "deployments" }];
    const found = [await taken(store, queues), await taken(store, queues), await taken(store, queues)];

    assert.deepEqual(
      found.map(({ operation: { id, cancelReason } }) => [id === parked.operation.id, cancelReason]),
      [
        [true, "no use"],
        [false, undefined],
        [false, undefined],
      ],
    );
    assert.ok(events.some((event) => event.kind === "cancel" && event.operationId === parked.operation.id));
  });

  it(`${name} makes a parked operation ready when it is cancelled, before or after it was parked`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const child = await begin(store);
    const parent = await begin(store);
    await park(store, parent, waitFor(child));

    await store.operations.requestCancel(parent.operation.id, "no longer wanted");
    const cancelled = await taken(store);
    await park(store, cancelled, waitFor(child));
    const still = await taken(store);
    await park(store, still, { kind: "again", afterMs: 60_000 });
    const last = await taken(store);
    await store.write({ lease: last.lease, outcome: { state: "Canceled" } });
    await end(store, child.lease);

    assert.deepEqual(
      [cancelled, still, last].map((leased) => [leased.operation.id, leased.operation.cancelReason]),
      Array.from({ length: 3 }, () => [parent.operation.id, "no longer wanted"]),
    );
    assert.equal(await take(store), undefined);
  });

  it(`${name} makes a parked operation ready at its deadline`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const child = await begin(store, { timeoutMs: 10_000_000, queue: "other" });
    const waiting = await begin(store, { timeoutMs: 60_000 });
    const pausing = await begin(store, { timeoutMs: 60_000 });
    await park(store, waiting, waitFor(child));
    await park(store, pausing, { kind: "again", afterMs: Infinity });

    const dueInMs = await store.operations.dueInMs(["default"]);
    await fixture.advance(60_001);
    const late = [await taken(store), await taken(store)];
    await store.operations.requestCancel(child.operation.id, "stop");

    assert.ok(dueInMs !== undefined && dueInMs <= 60_000, String(dueInMs));
    assert.deepEqual(
      late.map((leased) => leased.operation.id),
      [waiting.operation.id, pausing.operation.id],
    );
    await end(store, (await taken(store, [{ name: "other" }])).lease);
    assert.equal(await take(store), undefined);
  });

  it(`${name} lets nothing overtake a parked head where order matters`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const queues: readonly QueueRule[] = [{ name: "line", fifo: true }];
    const elsewhere = await begin(store);
    const head = await begin(store, { queue: "line" });
    const next = await accept(store, { queue: "line" });
    await park(store, head, waitFor(elsewhere));

    const early = await take(store, queues);
    await end(store, elsewhere.lease);
    const order = [(await taken(store, queues)).operation.id, (await taken(store, queues)).operation.id];

    assert.equal(early, undefined);
    assert.deepEqual(order, [head.operation.id, next]);
  });

  it(`${name} does not count parked operations against a queue's concurrency`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const queues: readonly QueueRule[] = [{ name: "default", concurrency: 1 }];
    const parent = await accept(store);
    const child = await accept(store);
    const leased = await taken(store, queues);
    assert.equal(await take(store, queues), undefined);
    const events = listen(store);

    await park(store, leased, { kind: "waiting", for: [child] });
    const next = await taken(store, queues);

    assert.deepEqual(events, [{ kind: "work", queue: "default" }]);
    assert.deepEqual([leased.operation.id, next.operation.id], [parent, child]);
  });

  it(`${name} refuses to let an operation wait for itself, and leaves it as it was`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const leased = await begin(store);
    const { id } = leased.operation;

    const circle = store.write({
      document: { kind: "put", input: input(containerId("web")), expect: "any" },
      lease: leased.lease,
      park: { kind: "waiting", for: [id] },
    });

    await assert.rejects(circle, { code: "WaitCycle", path: [id, id] });
    assert.equal(await store.get(containerId("web")), undefined);
    await end(store, leased.lease);
  });

  it(`${name} refuses a circle of operations, also through one that waits in memory`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const deployment = await begin(store);
    const child = await begin(store, { awaitedBy: deployment.operation.id });
    const other = await begin(store);
    await park(store, other, waitFor(deployment));

    const path = [child, other, deployment, child].map((leased) => leased.operation.id);
    await assert.rejects(park(store, child, waitFor(other)), { code: "WaitCycle", path });
    await end(store, deployment.lease);
    const freed = await taken(store);
    await park(store, child, waitFor(freed));

    assert.equal(freed.operation.id, other.operation.id);
    assert.equal(child.operation.awaitedBy, deployment.operation.id);
  });

  it(`${name} refuses one of two operations that begin to wait for each other at once`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    for (let round = 0; round < 5; round += 1) {
      const queues = [{ name: `q${round}` }];
      const a = await begin(store, { queue: `q${round}` });
      const b = await begin(store, { queue: `q${round}` });

      const results = await Promise.allSettled([park(store, a, waitFor(b)), park(store, b, waitFor(a))]);

      const refused = results.filter((result) => result.status === "rejected");
      assert.deepEqual(
        refused.map(({ reason }) => (reason as { code?: string }).code),
        ["WaitCycle"],
      );
      assert.equal(await take(store, queues), undefined);
    }
  });

  it(`${name} keeps parked operations over a restart, and wakes them afterwards`, async () => {
    await using fixture = await open();
    const parent = await begin(fixture.store);
    const child = await begin(fixture.store, { queue: "other" });
    await park(fixture.store, parent, waitFor(child));

    const store = await fixture.reopen({ keys: [oldKey] });
    const early = await take(store);
    await fixture.advance(leaseMs + 1); // the child's worker is gone
    const resumed = await taken(store, [{ name: "other" }]);
    await end(store, resumed.lease);
    const woken = await take(store);

    assert.equal(early, undefined);
    assert.equal(resumed.operation.id, child.operation.id);
    assert.equal(woken?.operation.id, parent.operation.id);
  });

  it(`${name} finds what is ready past a thousand parked operations`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const child = await begin(store, { queue: "other" });
    for (let n = 0; n < 1_000; n += 50) {
      await Promise.all(Array.from({ length: 50 }, () => accept(store)));
      for (let m = 0; m < 50; m += 1) {
        await park(store, await taken(store), waitFor(child));
      }
    }
    const last = await accept(store);

    const found = await take(store);
    const [depth] = await store.operations.depths();
    const events = listen(store);
    await end(store, child.lease);

    assert.equal(found?.operation.id, last);
    assert.deepEqual(depth, { queue: "default", waiting: 0, running: 1, parked: 1_000 });
    assert.deepEqual(events.at(-1), { kind: "work", queue: "default", count: 1_000 });
    assert.equal((await store.operations.depths())[0]?.waiting, 1_000);
  });

  it(`${name} refuses parking without a lease, or together with an outcome`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const { lease } = await begin(store);
    const pause: Park = { kind: "again", afterMs: 1 };

    await assert.rejects(store.write({ park: pause }), TypeError);
    await assert.rejects(store.write({ lease, park: pause, outcome: { state: "Succeeded" } }), TypeError);
  });
}

function waitFor(...leased: readonly LeasedOperation[]): Park {
  return { kind: "waiting", for: leased.map((item) => item.operation.id) };
}

/** Accepts an operation and leases it. */
async function begin(store: Store, more: Partial<NewOperation> = {}): Promise<LeasedOperation> {
  const id = await accept(store, more);
  const leased = await taken(store, [{ name: more.queue ?? "default" }]);
  assert.equal(leased.operation.id, id);
  return leased;
}

async function park(store: Store, { lease }: LeasedOperation, where: Park): Promise<void> {
  await store.write({ lease, park: where });
}

async function end(store: Store, lease: Lease): Promise<void> {
  await store.write({ lease, outcome: { state: "Succeeded" } });
}

function take(
  store: Store,
  queues: readonly QueueRule[] = [{ name: "default" }],
): Promise<LeasedOperation | undefined> {
  return store.operations.take({ owner: "worker-1", leaseMs, queues });
}

async function taken(store: Store, queues?: readonly QueueRule[]): Promise<LeasedOperation> {
  const leased = await take(store, queues);
  assert.ok(leased, "an operation should have been ready");
  return leased;
}

function listen(store: Store): StoreEvent[] {
  const events: StoreEvent[] = [];
  store.subscribe((event) => {
    if (event.kind !== "document") {
      events.push(event);
    }
  });
  return events;
}
