import type { GroupCommit } from "./group-commit.ts";

/** Rows that one transaction removes: a few milliseconds. */
const mostAtOnce = 500;

/**
 * Removes any number of rows in transactions of a few, between which others get their turn. None of them waits for the
 * disk: what a power cut brings back is removed again.
 * @param remove removes at most so many rows, and returns how many it found.
 */
export async function removeInPieces(writes: GroupCommit, remove: (most: number) => number): Promise<number> {
  let removed = 0;
  for (;;) {
    const piece = await writes.run(() => remove(mostAtOnce), "soon");
    removed += piece;
    if (piece < mostAtOnce) {
      return removed;
    }
  }
}
