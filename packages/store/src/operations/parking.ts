/**
 * Why nobody may take an operation though nobody works on it:
 * - `backOff`: an attempt failed. Counts as waiting, not as parked.
 * - `again`, `waiting`: see `Park`.
 *
 * Such operations are not in the index that `take` reads, however many there are. They come back when what they wait for
 * has ended, when somebody cancels them, or at `run_after`, which is never later than the deadline. Rows of
 * `operation_waits` exist for `waiting` operations only, one for each operation that has not ended.
 */
export type Parked = "backOff" | "again" | "waiting";

/** Keeps dates within what databases can store; the deadline comes first in any case. */
export function boundedMs(ms: number): number {
  return ms > 0 ? Math.min(ms, 1e14) : 0;
}
