import { setTimeout as sleep } from "node:timers/promises";

const pauseMs = 20;
/** Far more than anything here takes, even on a busy machine: only a broken server runs into it. */
const mostTries = 1_000;

/** Looks again until `look` finds something. */
export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    await sleep(pauseMs);
  }
  throw new Error(`Waited in vain until ${what}.`);
}
