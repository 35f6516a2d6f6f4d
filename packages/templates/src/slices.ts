import { mainThread } from "@rad/core";
import type { Budget } from "./budget.ts";

/**
 * Long work that can pause: it yields its budget where others may have their turn. What it does between two pauses is
 * bounded by the budget. Whoever wants the result runs it with one of the functions below.
 */
export type Sliced<T> = Generator<Budget, T, undefined>;

/** In a server: everybody else is served at each pause. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) {
      return step.value;
    }
    if (step.value.isLongDue) {
      await nextTurn(); // the slice of this turn may not even have begun when the expression did
    }
    const turn = mainThread.giveWay();
    if (turn !== undefined) {
      await turn;
    }
    step.value.pause();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** In a command or a test, where nobody else waits. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) {
      return step.value;
    }
    step.value.pause();
  }
}

/** As a part of other work that does not pause, and within what that may take. */
export function withoutPause<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) {
      return step.value;
    }
  }
}
