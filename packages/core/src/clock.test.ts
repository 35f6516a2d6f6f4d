import assert from "node:assert/strict";
import { it } from "node:test";
import { systemClock } from "./clock.ts";
import { FakeClock } from "./testing/fake-clock.ts";

for (const [name, clock] of [
  ["the system's clock", systemClock],
  ["the fake clock", new FakeClock()],
] as const) {
  it(`${name} rejects a sleep with the signal's reason`, async () => {
    const reason = new Error("enough");
    const stop = new AbortController();
    const sleeping = clock.sleep(3_600_000, stop.signal);

    stop.abort(reason);

    await assert.rejects(sleeping, reason);
    await assert.rejects(clock.sleep(1, stop.signal), reason);
  });
}

it("the system's clock wakes a sleeper", async () => {
  await systemClock.sleep(1);
  await systemClock.sleep(0);
});

it("the fake clock wakes sleepers in the order of their time", async () => {
  const clock = new FakeClock(new Date(0));
  const woken: number[] = [];
  const sleeps = [20, 10, 30].map(async (ms) => {
    await clock.sleep(ms);
    woken.push(ms);
  });

  clock.advance(25);
  await Promise.all(sleeps.slice(0, 2));

  assert.deepEqual(woken, [10, 20]);
  assert.equal(clock.sleeping, 1);
  clock.advance(5);
  await sleeps[2];
  assert.equal(clock.now().getTime(), 30);
});
