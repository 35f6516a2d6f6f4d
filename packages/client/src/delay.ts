import { setTimeout as sleepFor } from "node:timers/promises";

/** Waiting as a dependency, so that tests need not. Rejects with the signal's reason when it is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export const sleep: Sleep = async (ms, signal) => {
  try {
    await sleepFor(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};

/** Seconds or an HTTP date, as milliseconds from now; `undefined` when there is none to speak of. */
export function retryAfterMs(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null || header.trim() === "") {
    return undefined;
  }
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(ms) || ms < 0 ? undefined : ms;
}
