import { setImmediate } from "node:timers/promises";

export interface LongestTurn<Result> {
  readonly result: Result;
  /**
   * The most CPU time that this thread took between two turns of the event loop, in units of a fixed amount of work: about
   * ten milliseconds of an ordinary machine. CPU time and a unit of the same process, so that other programs and slow
   * machines do not matter.
   */
  readonly units: number;
}

let unit: number | undefined;

export async function longestTurn<Result>(work: () => Promise<Result>): Promise<LongestTurn<Result>> {
  unit ??= calibrate();
  const over = new AbortController();
  const watching = watchTurns(over.signal);
  try {
    const result = await work();
    over.abort();
    return { result, units: (await watching) / unit };
  } finally {
    over.abort();
  }
}

async function watchTurns(over: AbortSignal): Promise<number> {
  let longest = 0;
  for (let before = cpuTime(); !over.aborted;) {
    await setImmediate();
    const now = cpuTime();
    longest = Math.max(longest, now - before);
    before = now;
  }
  return longest;
}

/** What a fixed amount of work takes here. */
function calibrate(): number {
  const begin = cpuTime();
  let text = "";
  for (let round = 0; round < 10; round += 1) {
    text = JSON.stringify(Array.from({ length: 80_000 }, (_, index) => `${index}${text.length}`));
  }
  return (cpuTime() - begin) / 10;
}

function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
