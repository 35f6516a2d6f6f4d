import { mainThread } from "./main-thread.ts";
import type { Sliced } from "./sliced.ts";

/** Longer than any step of an ordinary request, also on a busy machine. */
const longMs = 2;

/**
 * Does one piece of work that cannot be divided, such as copying an object with all its members, and pauses after it if it
 * took long, so that two of them are never done in the same turn.
 */
export function* pauseAfter<Result>(work: () => Result): Sliced<Result> {
  const begin = performance.now();
  const result = work();
  const pause = performance.now() - begin > longMs ? mainThread.nextTurn() : undefined;
  if (pause !== undefined) {
    yield pause;
  }
  return result;
}
