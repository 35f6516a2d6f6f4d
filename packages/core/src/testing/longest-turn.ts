import { setImmediate } from "node:timers/promises";

export interface LongestTurn<Result> {
  readonly result: Result;
  /**
   * The most CPU time that this thread took between two turns of the event loop, in units of a fixed amount of work: five
   * to ten milliseconds of an ordinary machine. CPU time and a unit of the same process and the same moment: a neighbour on
   * the machine can double the CPU time of the same work.
   */
  readonly units: number;
}

export async function longestTurn<Result>(work: () => Promise<Result>): Promise<LongestTurn<Result>> {
  const unitBefore = calibrate();
  const over = new AbortController();
  const watching = watchTurns(over.signal);
  try {
    const result = await work();
    over.abort();
    const longest = await watching;
    return { result, units: longest / Math.max(unitBefore, calibrate()) };
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
