import { ApiError } from "@rad/core";
import type { TreeContext } from "./tree-context.ts";

const firstPauseMs = 500;
const longestPauseMs = 15_000;

/**
 * Repeats a call until its target answers, with a pause in between that holds no slot. A target may be away for as long
 * as the deployment has time.
 * @throws what the target answers; the reason to stop, when there is one first.
 */
export async function untilAnswered<T>(tree: TreeContext, call: () => Promise<T>): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await call();
    } catch (error) {
      if (!isAway(error)) {
        throw error;
      }
      tree.log.warn("a deployment waits for its target", { pauseMs, error });
      await tree.pause(pauseMs);
    }
  }
}

export function isAway(error: unknown): boolean {
  return error instanceof ApiError && error.transient;
}
