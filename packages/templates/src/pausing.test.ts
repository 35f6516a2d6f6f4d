import assert from "node:assert/strict";
import { it } from "node:test";
import { atOnce, inSlices } from "@rad/core";
import { Budget } from "./budget.ts";
import { type Pausing, sliced, withoutPause } from "./pausing.ts";

const stepsAtOnce = 500_000;

/** Pieces of so many steps, with a chance to pause before each. */
function* pieces(budget: Budget, count: number, steps: number): Pausing<number> {
  for (let piece = 0; piece < count; piece += 1) {
    if (budget.isDue) {
      yield budget;
    }
    budget.spend(steps);
  }
  return count;
}

it("work that pauses may take more steps than one piece of it", async () => {
  assert.equal(atOnce(sliced(pieces(new Budget(), 10, stepsAtOnce - 1))), 10);
  assert.equal(await inSlices(sliced(pieces(new Budget(), 10, stepsAtOnce - 1))), 10);
});

it("one piece may not take more steps than are allowed at once", () => {
  assert.throws(() => atOnce(sliced(pieces(new Budget(), 1, stepsAtOnce + 1))), {
    code: "LimitExceeded",
    isFinal: false,
  });
});

it("a part that does not pause counts as one piece with what is around it", () => {
  assert.throws(() => withoutPause(pieces(new Budget(), 10, stepsAtOnce / 5)), { code: "LimitExceeded" });
});

it("budgets that share steps run out of them together", () => {
  const budget = new Budget(1_000);
  budget.share().spend(600);

  assert.throws(() => budget.share().spend(600), { code: "LimitExceeded", isFinal: true });
  assert.throws(() => budget.reserve(1), { code: "LimitExceeded", isFinal: true });
});

it("others get their turn while a piece after the other is done", async () => {
  let turns = 0;
  let running = true;
  const look = (): void => {
    turns += 1;
    if (running) {
      setImmediate(look);
    }
  };
  setImmediate(look);

  await inSlices(sliced(pieces(new Budget(), 20, stepsAtOnce - 1)));
  running = false;

  assert.ok(turns >= 19, `${turns} turns`);
});
