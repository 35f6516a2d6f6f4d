import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { withLimit } from "./with-limit.ts";

test("work runs at the limit and never above, and each outcome is in the place of its item", async () => {
  let running = 0;
  let most = 0;
  const items = Array.from({ length: 25 }, (_, index) => index);

  const outcomes = await withLimit(items, 4, async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn <= item % 3; turn += 1) {
      await nextTurn();
    }
    running -= 1;
    if (item === 7) {
      throw new Error("seven");
    }
    return item * 2;
  });

  assert.equal(most, 4);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "failed")),
    items.map((item) => (item === 7 ? "failed" : item * 2)),
  );
});

test("no items are no work", async () => {
  assert.deepEqual(await withLimit([], 4, () => assert.fail("nothing to do")), []);
});
