import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import type { LeasedOperation, QueueRule, Store, StoreEvent } from "../../store.ts";
import { accept, auditRecord, containerId, input, operation } from "./fixture.ts";
import type { OpenFixture } from "./fixture.ts";

const leaseMs = 30_000;
const plain: readonly QueueRule[] = [{ name: "default" }];
const failure = { code: "Internal", message: "It broke." };

export function describeOperations(name: string, open: OpenFixture): void {
  it(`${name} keeps everything about an operation`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const accepted = operation({
      input: { force: [true, null] },
      identity: { kind: "user", subject: "ana", groups: ["team", "ops"] },
      awaitedBy: "00000000-0000-4000-8000-00000000fffe",
      traceparent: "00-1-2-01",
      timeoutMs: 5_000,
    });

    await store.write({ operation: accepted });
    const read = await store.operations.get(accepted.id);

    assert.ok(read);
    const { timeoutMs: _timeoutMs, ...kept } = accepted;
    const { createdAt: _createdAt, ...rest } = read;
    assert.deepEqual(rest, {
      ...kept,
      state: "Accepted",
      attempt: 0,
      steps: [],
      error: undefined,
      cancelReason: undefined,
      startedAt: undefined,
      endedAt: undefined,
      deaths: [],
    });
    assert.equal(await store.operations.get("00000000-0000-4000-8000-00000000ffff"), undefined);
  });

  it(`${name} lists a resource's operations, newest first`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const ids = [await accept(store), await accept(store), await accept(store)];
    await accept(store, { resourceId: containerId("other") });

    const listed = await store.operations.listFor(containerId("WEB"), 2);

    assert.deepEqual(
      listed.map((item) => item.id),
      [ids[2], ids[1]],
    );
  });

  it(`${name} leases the oldest operation of the queues asked for, once`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store, { queue: "elsewhere" });
    const first = await accept(store, { queue: "b" });
    const second = await accept(store, { queue: "a" });
    const queues: readonly QueueRule[] = [{ name: "a" }, { name: "b", concurrency: 5 }];

    const taken = [await take(store, queues), await take(store, queues), await take(store, queues)];

    assert.deepEqual(
      taken.map((leased) => leased?.operation.id),
      [first, second, undefined],
    );
    assert.deepEqual([taken[0]?.operation.state, taken[0]?.operation.attempt], ["Updating", 1]);
    assert.ok(taken[0]?.operation.startedAt);
  });

  it(`${name} hands every operation to exactly one of many takers`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const ids = await Promise.all(Array.from({ length: 12 }, () => accept(store)));

    const taken = await Promise.all(ids.map((_, index) => take(store, plain, `worker-${index}`)));
    const rest: string[] = [];
    for (let more = await take(store); more !== undefined; more = await take(store)) {
      rest.push(more.operation.id);
    }

    const all = [...taken.flatMap((leased) => leased?.operation.id ?? []), ...rest];
    assert.deepEqual(all.sort(), ids.sort());
  });

  it(`${name} ends an operation in the write of its last document, exactly once`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store);
    const { lease } = await taken(store);
    const finish = (n: number) =>
      store.write({
        document: { kind: "put", input: input(containerId("web"), { n }), expect: "any" },
        lease,
        outcome: { state: "Failed", error: failure },
        audit: [auditRecord({ phase: "outcome", operationId: id, result: "Failed" })],
      });

    await finish(1);
    await assert.rejects(finish(2), { code: "LeaseLost" });

    const ended = await store.operations.get(id);
    assert.deepEqual([ended?.state, ended?.error], ["Failed", failure]);
    assert.ok(ended?.endedAt);
    assert.deepEqual((await store.get(containerId("web")))?.body, { n: 1 });
    assert.equal((await store.audit.list({ limit: 9 })).length, 1);
    assert.equal(await take(store), undefined);
  });

  it(`${name} commits one outcome when several are tried at once`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    const { lease } = await taken(store);

    const tries = ["Succeeded", "Failed", "Canceled"] as const;
    const results = await Promise.allSettled(tries.map((state) => store.write({ lease, outcome: { state } })));

    assert.equal(results.filter((result) => result.status === "fulfilled").length, 1);
  });

  it(`${name} keeps the operation going when its last write is refused`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store);
    const { lease } = await taken(store);

    const refused = store.write({
      document: { kind: "put", input: input(containerId("web")), expect: { etag: "32-other" } },
      lease,
      outcome: { state: "Succeeded" },
    });

    await assert.rejects(refused, { code: "EtagMismatch" });
    assert.equal((await store.operations.get(id))?.state, "Updating");
    await store.write({ lease, outcome: { state: "Succeeded" } });
  });

  it(`${name} gives an operation whose lease ran out to another worker and fences the first one off`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    const old = await taken(store);
    await fixture.advance(leaseMs + 1);

    const next = await taken(store, plain, "worker-2");

    assert.equal(next.operation.attempt, 1, "attempts whose process died are counted apart");
    assert.equal(next.operation.deaths.length, 1);
    assert.ok(next.lease.fence > old.lease.fence);
    await assertVoid(store, old);
    await store.write({ lease: next.lease, outcome: { state: "Succeeded" } });
  });

  it(`${name} accepts nothing under a lease that ran out, even while nobody else has taken over`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    const leased = await taken(store);

    await fixture.advance(leaseMs + 1);

    await assertVoid(store, leased);
    assert.equal(await store.get(containerId("web")), undefined);
  });

  it(`${name} accepts nothing under somebody else's name`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    const leased = await taken(store);

    await assertVoid(store, { ...leased, lease: { ...leased.lease, owner: "worker-2" } });
    await assertVoid(store, { ...leased, lease: { ...leased.lease, fence: leased.lease.fence + 1 } });
  });

  it(`${name} extends a lease that is renewed in time`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    const { lease } = await taken(store);

    await fixture.advance(leaseMs - 5_000);
    const answer = await store.operations.renew(lease, leaseMs);
    await fixture.advance(leaseMs - 5_000);

    assert.deepEqual(answer, { cancelReason: undefined });
    assert.equal(await take(store), undefined);
    await store.write({ lease, outcome: { state: "Succeeded" } });
  });

  it(`${name} stores progress under a lease`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store);
    const { lease } = await taken(store);
    const startTime = "2026-01-01T00:00:00Z";
    const steps = [
      {
        name: "init",
        state: "Running",
        startTime,
        detail: "ü",
        share: 0.5,
        steps: [{ name: "plan", state: "Failed", startTime, endTime: startTime, message: "no" }],
      } as const,
    ];
    const events: StoreEvent[] = [];
    using _subscription = store.subscribe((event) => events.push(event));

    await store.operations.progress(lease, steps);

    assert.deepEqual((await store.operations.get(id))?.steps, steps);
    assert.deepEqual(events, [{ kind: "progress", operationId: id }]);
  });

  it(`${name} tells which documents of an operation were put under its lease`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store);
    const { lease } = await taken(store);
    const record = (name: string, operationId: string | undefined) =>
      ({ kind: "put", input: { ...input(containerId(name)), operationId }, expect: "any" }) as const;
    const events: StoreEvent[] = [];
    using _subscription = store.subscribe((event) => events.push(event));

    await store.write({ lease, document: record("own", id), also: [record("other", "x"), record("Also", id)] });
    await store.write({ document: record("own", id) });
    await store.write({ lease, outcome: { state: "Succeeded" }, also: [record("last", id)] });

    const told = () => events.filter(({ kind }) => kind === "progress");
    await until("all are told", () => told().length === 3);
    const stored = await Promise.all(["own", "Also", "last"].map((each) => store.get(containerId(each))));
    assert.deepEqual(
      told(),
      stored.map((document) => ({
        kind: "progress",
        operationId: id,
        document: { id: document?.id, etag: document?.etag },
      })),
    );
  });

  it(`${name} completes bodies and tells of them in the order of the commits`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store);
    const { lease } = await taken(store);
    const told: StoreEvent[] = [];
    using _subscription = store.subscribe((event) => void (event.kind === "progress" && told.push(event)));
    let turn = 0;
    const put = (index: number) => {
      const body = { turn: 0, index };
      const record = { ...input(containerId(`w${index}`)), body, operationId: id };
      const inTurn = (given: JsonObject): JsonObject => ({ ...given, turn: (turn += 1) });
      return store.write({ lease, also: [{ kind: "put", input: record, inTurn, expect: "any" }] });
    };

    await Promise.all(Array.from({ length: 40 }, (_, index) => put(index)));
    await until("all are told", () => told.length === 40);

    const etags = told.map((event) =>
      event.kind === "progress" && typeof event.document === "object" ? event.document.etag : "",
    );
    const { items } = await store.list({ under: "/planes" });
    const inOrder = items.toSorted((a, b) => Number(a.body["turn"]) - Number(b.body["turn"]));
    assert.deepEqual(
      etags,
      inOrder.map(({ etag }) => etag),
    );
    assert.deepEqual(
      inOrder.map(({ body }) => body["turn"]),
      etags.map((_, index) => index + 1),
    );
    assert.deepEqual(
      items.map(({ json }) => JSON.parse(json) as unknown),
      items.map(({ body }) => body),
    );
  });

  it(`${name} tries again after the delay, keeping the error and counting the attempt`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store);
    const first = await taken(store);

    await store.operations.retryLater(first.lease, 10_000, failure);
    const waiting = await store.operations.get(id);
    const early = await take(store);
    await fixture.advance(10_001);
    const second = await taken(store);

    assert.deepEqual([waiting?.state, waiting?.error, waiting?.endedAt], ["Updating", failure, undefined]);
    assert.equal(early, undefined);
    assert.equal(second.operation.attempt, 2);
    await assertVoid(store, first);
  });

  it(`${name} takes back an operation untouched, without counting the attempt`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store);
    const first = await taken(store);

    await store.operations.handBack(first.lease);
    const back = await store.operations.get(id);
    const second = await taken(store);

    assert.deepEqual([back?.state, back?.attempt, back?.startedAt], ["Accepted", 0, undefined]);
    assert.equal(second.operation.attempt, 1);
    assert.ok(second.lease.fence > first.lease.fence);
    await assertVoid(store, first);
  });

  it(`${name} never leases more of a queue than its concurrency`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const queues: readonly QueueRule[] = [{ name: "default", concurrency: 2 }];
    await Promise.all(Array.from({ length: 6 }, () => accept(store)));

    const taken = await Promise.all(Array.from({ length: 6 }, (_, index) => take(store, queues, `worker-${index}`)));
    const leased = taken.filter((item) => item !== undefined);
    const full = await take(store, queues);
    assert.ok(leased[0]);
    await store.write({ lease: leased[0].lease, outcome: { state: "Succeeded" } });
    const next = await take(store, queues);

    assert.equal(leased.length, 2);
    assert.equal(full, undefined);
    assert.ok(next);
    assert.equal(await take(store, queues), undefined);
  });

  it(`${name} lets nothing overtake in a queue that is first in, first out, not even during back-off`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const queues: readonly QueueRule[] = [{ name: "default", fifo: true }];
    const head = await accept(store);
    const next = await accept(store);
    const first = await taken(store, queues);
    await store.operations.retryLater(first.lease, 10_000, failure);

    const early = await take(store, queues);
    await fixture.advance(10_001);
    const order = [(await taken(store, queues)).operation.id, (await taken(store, queues)).operation.id];

    assert.equal(early, undefined);
    assert.deepEqual(order, [head, next]);
  });

  it(`${name} lets others pass an operation that backs off where order does not matter`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    const next = await accept(store);
    await store.operations.retryLater((await taken(store)).lease, 10_000, failure);

    assert.equal((await taken(store)).operation.id, next);
  });

  it(`${name} makes a cancelled operation ready at once, whatever holds its queue back`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const queues: readonly QueueRule[] = [{ name: "default", concurrency: 1, fifo: true }];
    await accept(store);
    await accept(store);
    const last = await accept(store);
    await taken(store, queues);

    const asked = await store.operations.requestCancel(last, "no longer wanted");
    const leased = await taken(store, queues);

    assert.equal(asked, true);
    assert.deepEqual([leased.operation.id, leased.operation.cancelReason], [last, "no longer wanted"]);
    assert.equal(await take(store, queues), undefined);
  });

  it(`${name} makes an operation past its deadline ready at once, whatever its back-off says`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const queues: readonly QueueRule[] = [{ name: "default", concurrency: 1 }];
    const late = await accept(store, { timeoutMs: 60_000 });
    await store.operations.retryLater((await taken(store, queues)).lease, 3_600_000, failure);
    await accept(store);
    await taken(store, queues);
    await fixture.advance(60_001);
    // The second operation's lease has run out as well; the older one comes first.
    const leased = await taken(store, queues);

    assert.equal(leased.operation.id, late);
  });

  it(`${name} leaves an operation with its worker when the deadline passes or it is cancelled under a lease`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store, { timeoutMs: 1_000 });
    const { lease } = await taken(store);

    await fixture.advance(2_000);
    await store.operations.requestCancel(id, "stop");

    assert.equal(await take(store), undefined);
    assert.deepEqual(await store.operations.renew(lease, leaseMs), { cancelReason: "stop" });
  });

  it(`${name} does not cancel what has ended or never was, and keeps the first reason`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store);
    await store.operations.requestCancel(id, "first");
    await store.operations.requestCancel(id, "second");
    const { lease, operation: leased } = await taken(store);
    await store.write({ lease, outcome: { state: "Canceled" } });

    assert.equal(leased.cancelReason, "first");
    assert.equal(await store.operations.requestCancel(id, "late"), false);
    assert.equal(await store.operations.requestCancel("00000000-0000-4000-8000-00000000ffff", "x"), false);
  });

  it(`${name} supersedes a running operation: it is cancelled and its worker writes nothing more`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store);
    const old = await taken(store);
    const replacement = operation({ kind: "delete" });
    const events: StoreEvent[] = [];
    using _subscription = store.subscribe((event) => events.push(event));

    await store.write({ supersede: id, operation: replacement });

    const ended = await store.operations.get(id);
    assert.deepEqual([ended?.state, ended?.error?.code], ["Canceled", "OperationCanceled"]);
    assert.ok(ended?.endedAt);
    await assertVoid(store, old);
    assert.ok(events.some((event) => event.kind === "cancel" && event.operationId === id));
    assert.equal((await taken(store)).operation.id, replacement.id);
  });

  it(`${name} leaves an operation that has ended as it is when a write supersedes it`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store);
    const { lease } = await taken(store);
    await store.write({ lease, outcome: { state: "Succeeded" } });

    await store.write({ supersede: id });

    assert.equal((await store.operations.get(id))?.state, "Succeeded");
  });

  it(`${name} announces work when an operation may have become ready`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const events: StoreEvent[] = [];
    using _subscription = store.subscribe((event) => events.push(event));
    const work = { kind: "work", queue: "default" };

    const id = await accept(store);
    const accepted = events.splice(0);
    await store.operations.handBack((await taken(store)).lease);
    const handedBack = events.splice(0);
    await store.operations.requestCancel(id, "stop");
    const cancelled = events.splice(0);
    await store.write({ lease: (await taken(store)).lease, outcome: { state: "Canceled" } });
    const finished = events.splice(0);

    assert.deepEqual(accepted, [work]);
    assert.deepEqual(handedBack, [work]);
    assert.deepEqual(cancelled, [{ kind: "cancel", operationId: id }, work]);
    assert.deepEqual(finished, [{ kind: "ended", operationId: id }, work]);
  });

  it(`${name} forgets operations that ended long ago, and no others`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const old = await accept(store);
    await store.write({ lease: (await taken(store)).lease, outcome: { state: "Succeeded" } });
    const running = await accept(store, { timeoutMs: 10_000_000 });
    await fixture.advance(60_000);
    const fresh = await accept(store);
    const queues: readonly QueueRule[] = [{ name: "default", fifo: true }];
    await store.write({ lease: (await taken(store, queues)).lease, outcome: { state: "Succeeded" } });

    const pruned = await store.operations.prune(50_000);

    const left = await Promise.all([old, running, fresh].map((id) => store.operations.get(id)));
    assert.equal(pruned, 1);
    assert.deepEqual(
      left.map((item) => item?.id),
      [undefined, running, fresh],
    );
  });

  it(`${name} counts what waits and what runs in each queue`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store, { queue: "b" });
    await accept(store, { queue: "a" });
    await accept(store, { queue: "a" });
    const { lease } = await taken(store, [{ name: "a" }]);
    const before = await store.operations.depths();
    await store.write({ lease, outcome: { state: "Succeeded" } });

    const after = await store.operations.depths();

    assert.deepEqual(before, [
      { queue: "a", waiting: 1, running: 1, parked: 0 },
      { queue: "b", waiting: 1, running: 0, parked: 0 },
    ]);
    assert.deepEqual(after, [
      { queue: "a", waiting: 1, running: 0, parked: 0 },
      { queue: "b", waiting: 1, running: 0, parked: 0 },
    ]);
  });
}

function take(
  store: Store,
  queues: readonly QueueRule[] = plain,
  owner: string = "worker-1",
): Promise<LeasedOperation | undefined> {
  return store.operations.take({ owner, leaseMs, queues });
}

async function taken(store: Store, queues?: readonly QueueRule[], owner?: string): Promise<LeasedOperation> {
  const leased = await take(store, queues, owner);
  assert.ok(leased, "an operation should have been ready");
  return leased;
}

/** No door is open to a worker whose lease is void. */
async function assertVoid(store: Store, { lease }: LeasedOperation): Promise<void> {
  const document = { kind: "put", input: input(containerId("web"), { stale: true }), expect: "any" } as const;
  const attempts: (() => Promise<unknown>)[] = [
    () => store.write({ document, lease }),
    () => store.write({ document, lease, outcome: { state: "Succeeded" } }),
    () => store.write({ document, lease, park: { kind: "again", afterMs: 0 } }),
    () => store.operations.renew(lease, leaseMs),
    () => store.operations.progress(lease, []),
    () => store.operations.retryLater(lease, 0, failure),
    () => store.operations.handBack(lease),
  ];
  for (const attempt of attempts) {
    await assert.rejects(attempt(), { code: "LeaseLost" });
  }
}
