import assert from "node:assert/strict";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { IdleSlot } from "./idle-slot.ts";

/** A worker's slot that tells what happens to it. */
function slotOfWorker() {
  const events: string[] = [];
  const mayReturn = Promise.withResolvers<void>();
  const slot = new IdleSlot(async (work) => {
    events.push("given back");
    await work();
    events.push("wanted");
    await mayReturn.promise;
    events.push("held");
  }, 1);
  return { events, mayReturn, slot };
}

it("gives the slot back while everything waits, and goes on only when it is back", async () => {
  const { events, mayReturn, slot } = slotOfWorker();
  const operation = Promise.withResolvers<string>();

  const waiting = slot.waiting(() => operation.promise).then((result) => events.push(result));
  await sleep(10);
  operation.resolve("went on");
  await sleep(10);
  const before = [...events];
  mayReturn.resolve();
  await waiting;

  assert.deepEqual(before, ["given back", "wanted"]);
  assert.deepEqual(events, ["given back", "wanted", "held", "went on"]);
});

it("keeps the slot while one of several parts is active", async () => {
  const { events, mayReturn, slot } = slotOfWorker();
  mayReturn.resolve();
  const active = Promise.withResolvers<void>();
  const operation = Promise.withResolvers<void>();

  const tree = slot.waiting(() =>
    Promise.all([slot.part(() => slot.waiting(() => operation.promise)), slot.part(() => active.promise)]),
  );
  await sleep(10);
  const whileActive = [...events];
  active.resolve();
  await sleep(10);
  const whileIdle = [...events];
  operation.resolve();
  await tree;

  assert.deepEqual(whileActive, []);
  assert.deepEqual(whileIdle, ["given back"]);
  assert.deepEqual(events, ["given back", "wanted", "held"]);
});

it("does not bother with waits that are over at once", async () => {
  const { events, slot } = slotOfWorker();

  for (let n = 0; n < 100; n += 1) {
    await slot.waiting(async () => {});
  }
  await sleep(10);

  assert.deepEqual(events, []);
});

it("gives the slot back again and again", async () => {
  const { events, mayReturn, slot } = slotOfWorker();
  mayReturn.resolve();

  await slot.waiting(() => sleep(10));
  await slot.waiting(() => sleep(10));

  assert.equal(events.filter((event) => event === "given back").length, 2);
});

it("a wait that fails takes the slot back too", async () => {
  const { events, mayReturn, slot } = slotOfWorker();
  mayReturn.resolve();

  const failing = slot.waiting(async () => {
    await sleep(10);
    throw new Error("no");
  });

  await assert.rejects(failing, /no/);
  assert.equal(events.at(-1), "held");
});
