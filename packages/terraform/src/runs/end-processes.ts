import type { Clock } from "@rad/core";
import { isAlive, type ProcessIdentity, processesIn, signalProcess } from "./processes.ts";

export interface EndOptions {
  readonly clock: Clock;
  /** How long Terraform may take to end by itself. */
  readonly graceMs: number;
  /** The Terraform process, where it is known. Elsewhere it is found by its folder, on Linux. */
  readonly terraform?: ProcessIdentity | undefined;
}

const lookEveryMs = 50;

/**
 * Ends what a run left when its supervisor is dead: Terraform gets SIGINT and time to save, then everything that is left
 * is killed.
 */
export async function endProcessesIn(folder: string, { clock, graceMs, terraform }: EndOptions): Promise<void> {
  const left = async (): Promise<readonly number[]> => {
    const found = new Set(await processesIn(folder));
    if (terraform !== undefined && (await isAlive(terraform))) {
      found.add(terraform.pid);
    }
    return [...found];
  };
  let pids = await left();
  for (const pid of pids) {
    signalProcess(pid, "SIGINT"); // providers ignore it
  }
  const end = clock.monotonicMs() + graceMs;
  while (pids.length > 0) {
    if (clock.monotonicMs() >= end) {
      for (const pid of pids) {
        signalProcess(pid, "SIGKILL");
      }
    }
    await clock.sleep(lookEveryMs);
    pids = await left();
  }
}

/** Resolves to `false` when the process is still there after `ms`. */
export async function hasEnded(identity: ProcessIdentity, ms: number, clock: Clock): Promise<boolean> {
  const end = clock.monotonicMs() + ms;
  while (await isAlive(identity)) {
    if (clock.monotonicMs() >= end) {
      return false;
    }
    await clock.sleep(lookEveryMs);
  }
  return true;
}
