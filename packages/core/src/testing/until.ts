import { setTimeout as sleep } from "node:timers/promises";

const pauseMs = 20;
/** Far more than anything takes, even on a busy machine: only what is broken runs into it. */
const maxTries = 1_500;

/** Looks again until `look` finds something: anything but `undefined` and `false`. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const found = await look();
    if (found !== undefined && found !== false) {
      return found;
    }
    await sleep(pauseMs);
  }
  throw new Error(`Waited in vain until ${what}.`);
}
