import type { Clock } from "@rad/core";

/** Waiting as a dependency, so that tests need not. The client's times are monotonic, so it takes no whole clock. */
export type Sleep = Clock["sleep"];

/** Seconds or an HTTP date, as milliseconds from now; `undefined` when there is none to speak of. */
export function retryAfterMs(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null || header.trim() === "") {
    return undefined;
  }
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(ms) || ms < 0 ? undefined : ms;
}
