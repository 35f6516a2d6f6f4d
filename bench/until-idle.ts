import { setTimeout as delay } from "node:timers/promises";
import type { OwnTestCluster } from "@rad/kubernetes/testing";
import { cpuSeconds } from "./cpu-time.ts";

/** A server that takes no more than so many seconds of CPU time in this time is idle. */
const idleSeconds = 0.02;
const idleMs = 500;
const maxLooks = 40;

/** Controllers are at work for a while after the last apply, which is no part of the next one. */
export async function untilIdle({ pid = 0 }: OwnTestCluster): Promise<void> {
  for (let looks = 0; looks < maxLooks; looks += 1) {
    const before = await cpuSeconds(pid);
    await delay(idleMs);
    if ((await cpuSeconds(pid)) - before <= idleSeconds) {
      return;
    }
  }
}
