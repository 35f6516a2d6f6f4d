import assert from "node:assert/strict";
import { it } from "node:test";
import type { LeasedOperation, Store } from "../../store.ts";
import { accept } from "./fixture.ts";
import type { OpenFixture } from "./fixture.ts";
import { oldKey } from "./keys.ts";

const day = 86_400_000;
const leaseMs = 30_000;
const failure = { code: "Internal", message: "It broke." };

export function describeTime(name: string, open: OpenFixture): void {
  it(`${name} takes what was never put off, in order, after the clock has gone back`, async () => {
    await using fixture = await open();
    const ids = [await accept(fixture.store)];
    await fixture.setClockBack(day);
    ids.push(await accept(fixture.store));

    const taken = [await take(fixture.store), await take(fixture.store)];

    assert.deepEqual(
      taken.map((leased) => leased?.operation.id),
      ids,
    );
  });

  it(`${name} tells a time that goes on, though the clock has gone back`, async () => {
    await using fixture = await open();
    const before = await fixture.store.now();

    await fixture.setClockBack(day);
    const elapsed = (await fixture.store.now()) - before;

    assert.ok(elapsed >= 0 && elapsed < 60_000, String(elapsed));
  });

  it(`${name} ends a pause when its time is over, though the clock has gone back`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    await store.operations.retryLater((await taken(store)).lease, 60_000, failure);

    await fixture.setClockBack(day);
    const dueInMs = await store.operations.dueInMs(["default"]);
    const early = await take(store);
    await fixture.advance(62_000);
    const late = await take(store);

    assert.ok(dueInMs !== undefined && dueInMs < 62_000, String(dueInMs));
    assert.equal(early, undefined);
    assert.equal(late?.operation.attempt, 2);
  });

  it(`${name} keeps leases and deadlines as long as they were, though the clock has gone back`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    const id = await accept(store, { timeoutMs: 120_000 });
    const first = await taken(store);

    await fixture.setClockBack(day);
    const beside = await take(store);
    await store.operations.renew(first.lease, leaseMs);
    await fixture.advance(leaseMs + 1);
    const second = await taken(store);

    assert.equal(beside, undefined);
    assert.deepEqual([second.operation.id, second.operation.deaths.length], [id, 1]);
    assert.ok(second.timeLeftMs > 80_000 && second.timeLeftMs < 90_001, String(second.timeLeftMs));
  });

  it(`${name} keeps what was stored between the jump of a clock and the moment when it is noticed`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    const running = await taken(store);
    let id: string | undefined;

    await fixture.setClockBack(day, async () => {
      await store.operations.renew(running.lease, leaseMs);
      id = await accept(store, { timeoutMs: 120_000 });
    });

    await store.operations.renew(running.lease, leaseMs);
    const next = await taken(store);
    assert.equal(next.operation.id, id);
    assert.ok(next.timeLeftMs > 80_000 && next.timeLeftMs <= 120_000, String(next.timeLeftMs));
  });

  it(`${name} tells how much time an operation has left`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store, { timeoutMs: 120_000 });

    const first = await taken(store);
    await fixture.advance(120_001);
    const late = await taken(store);

    assert.ok(first.timeLeftMs > 110_000 && first.timeLeftMs <= 120_000, String(first.timeLeftMs));
    assert.ok(late.timeLeftMs <= 0, String(late.timeLeftMs));
  });

  it(`${name} remembers when attempts began whose process died, until one ends otherwise`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    await taken(store);
    await fixture.advance(leaseMs + 1);
    await taken(store);
    await fixture.advance(leaseMs + 1);

    const third = await taken(store);
    await store.operations.retryLater(third.lease, 0, failure);
    const fourth = await taken(store);

    const [first = new Date(0), second = new Date(0)] = third.operation.deaths;
    assert.equal(third.operation.deaths.length, 2);
    assert.ok(first.getTime() > Date.now() - day && first.getTime() <= second.getTime());
    assert.deepEqual([fourth.operation.deaths, fourth.operation.attempt], [[], 2]);
  });

  it(`${name} does not count the death of an attempt that stored something new`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    const record = { id: "/planes/radius/local/records/1", type: "Test.Any/records", apiVersion: "1", secrets: {} };
    const write = async ({ lease }: LeasedOperation, text: string): Promise<void> => {
      const also = [{ kind: "put", input: { ...record, body: { text } }, expect: "any" } as const];
      await store.write({ lease, also });
    };
    const deaths: number[] = [];
    const die = async (work: (leased: LeasedOperation) => Promise<void>): Promise<void> => {
      await work(await taken(store));
      await fixture.advance(leaseMs + 1);
      const next = await taken(store);
      deaths.push(next.operation.deaths.length);
      await store.operations.handBack(next.lease);
    };

    await die((leased) => write(leased, "new"));
    await die((leased) => write(leased, "new"));
    await die((leased) => write(leased, "newer"));
    await die(({ lease }) => store.operations.progress(lease, [], true));
    await die(({ lease }) => store.operations.progress(lease, [], false));

    assert.deepEqual(deaths, [0, 1, 0, 0, 1]);
  });

  it(`${name} does not count the death of a process that turns out to live`, async () => {
    await using fixture = await open();
    const { store } = fixture;
    await accept(store);
    const deaths: number[] = [];
    const after = async (leased: LeasedOperation): Promise<LeasedOperation> => {
      deaths.push(leased.operation.deaths.length);
      await fixture.advance(leaseMs + 1);
      return leased;
    };

    const first = await after(await taken(store, "frozen"));
    const second = await after(await taken(store, "frozen"));
    await store.operations.outlive(second.lease);
    const third = await after(await taken(store, "late"));
    await after(await taken(store, "dies"));
    await store.operations.outlive(third.lease);
    const last = await after(await taken(store));

    assert.deepEqual(deaths, [0, 0, 0, 1, 1]);
    assert.deepEqual([first.operation.attempt, last.operation.attempt], [1, 1]);
  });

  it(`${name} does not count an end that the process saw`, async () => {
    await using fixture = await open();
    await accept(fixture.store);
    await fixture.store.operations.handBack((await taken(fixture.store)).lease);

    const store = await fixture.reopen({ keys: [oldKey] });

    assert.deepEqual((await taken(store)).operation.deaths, []);
  });
}

let processes = 0;

/** Each time as another process. */
async function take(store: Store, owner = `process-${(processes += 1)}`): Promise<LeasedOperation | undefined> {
  return await store.operations.take({ owner, leaseMs, queues: [{ name: "default" }] });
}

async function taken(store: Store, owner?: string): Promise<LeasedOperation> {
  const leased = await take(store, owner);
  assert.ok(leased, "an operation should have been ready");
  return leased;
}
