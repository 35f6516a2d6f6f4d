import { mainThread, type Sliced } from "@rad/core";
import type { Budget } from "./budget.ts";

/**
 * Work that counts its steps in a budget and yields the budget where other work may have a turn. The budget bounds the
 * steps between two pauses.
 */
export type Pausing<T> = Generator<Budget, T, undefined>;

/** The same work as `inSlices` and `atOnce` run it. */
export function* sliced<T>(work: Pausing<T>): Sliced<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) {
      return step.value;
    }
    if (step.value.isLongDue) {
      yield nextTurn(); // the slice of this turn may not even have begun when the expression did
    }
    const turn = mainThread.giveWay();
    if (turn !== undefined) {
      yield turn;
    }
    step.value.pause();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Runs `work` as a part of other work that does not pause: its steps count towards those of that work. */
export function withoutPause<T>(work: Pausing<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) {
      return step.value;
    }
  }
}
