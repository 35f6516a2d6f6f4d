import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, it } from "node:test";
import { silentLogger } from "@rad/core";
import { FakeClock } from "@rad/core/testing";
import type { LeasedOperation, Store } from "../store.ts";
import { accept, auditRecord } from "../testing/contract/fixture.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";

const day = 86_400_000;
const leaseMs = 30_000;
const failure = { code: "Internal", message: "It broke." };

let directory: string;
let clock: FakeClock;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "radius-time-"));
  clock = new FakeClock();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const jumps = { forward: 2 * day, back: -2 * day } as const;

for (const [way, ms] of Object.entries(jumps)) {
  it(`neither leases nor deadlines end when the clock jumps ${way}`, async () => {
    await using store = await open();
    await accept(store, { timeoutMs: day });
    const leased = await take(store);
    assert.ok(leased);

    clock.jump(ms);

    assert.equal(await take(store), undefined);
    await store.operations.renew(leased.lease, leaseMs);
    await store.operations.handBack(leased.lease);
    assert.ok(Math.abs(((await take(store))?.timeLeftMs ?? 0) - day) < 2_000);
  });

  it(`time goes on where it stopped when the clock jumped ${way} while no process ran`, async () => {
    {
      await using store = await open();
      await accept(store, { timeoutMs: day });
      const leased = await take(store);
      assert.ok(leased);
      await store.operations.retryLater(leased.lease, 60_000, failure);
      clock.advance(20_000);
    }

    clock.jump(ms);
    await using store = await open();
    const dueInMs = (await store.operations.dueInMs(["default"])) ?? 0;
    clock.advance(dueInMs);
    const leased = await take(store);

    assert.ok(dueInMs > 35_000 && dueInMs <= 40_000, String(dueInMs));
    assert.ok(Math.abs((leased?.timeLeftMs ?? 0) - (day - 60_000)) < 2_000, String(leased?.timeLeftMs));
  });
}

it("nothing is pruned because the clock jumped forward", async () => {
  await using store = await open();
  const id = await accept(store);
  await store.write({ supersede: id });
  await store.audit.append([auditRecord()]);

  clock.jump(400 * day);
  const early = [await store.operations.prune(7 * day), await store.audit.prune(90 * day)];
  clock.advance(91 * day);
  const late = [await store.operations.prune(7 * day), await store.audit.prune(90 * day)];

  assert.deepEqual(
    [early, late],
    [
      [0, 0],
      [1, 1],
    ],
  );
});

it("what people read is the wall clock's time", async () => {
  await using store = await open();
  clock.jump(5 * day);

  const id = await accept(store);
  await store.write({ supersede: id });

  const { createdAt, endedAt } = (await store.operations.get(id)) ?? {};
  assert.deepEqual([createdAt, endedAt], [clock.now(), clock.now()]);
});

it("a machine that slept for a day cancels nothing, although its monotonic clock went on", async () => {
  await using store = await open(60_000);
  await accept(store, { timeoutMs: 3_600_000 });
  const leased = await take(store);
  assert.ok(leased);

  clock.advance(day);
  await store.operations.handBack((await take(store))?.lease ?? leased.lease);

  assert.ok(((await take(store))?.timeLeftMs ?? 0) > 3_500_000);
});

async function open(longestGapMs?: number): Promise<Store> {
  return await openSqliteStore({ directory, clock, log: silentLogger, longestGapMs });
}

async function take(store: Store): Promise<LeasedOperation | undefined> {
  return await store.operations.take({ owner: "worker", leaseMs, queues: [{ name: "default" }] });
}
