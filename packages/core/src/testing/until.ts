import { setTimeout as sleep } from "node:timers/promises";

const pauseMs = 5;

export interface UntilOptions {
  /** Far more than the condition takes even on a busy machine: only what is broken runs into it. */
  readonly timeoutMs?: number;
}

/**
 * Looks again until `look` finds something, which is anything but `undefined` and `false`.
 * @param what a condition for the error when it never holds; a function may add how far things got.
 */
export async function until<T>(
  what: string | (() => string),
  look: () => Promise<T | undefined | false> | T | undefined | false,
  { timeoutMs = 30_000 }: UntilOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) {
      return found;
    }
    if (performance.now() > deadline) {
      throw new Error(`Waited ${timeoutMs} ms in vain until ${typeof what === "string" ? what : what()}.`);
    }
    await sleep(pauseMs);
  }
}
