import { setImmediate } from "node:timers/promises";

/**
 * The most CPU time that this thread takes between two turns of the event loop while `work` is under way, in units of
 * `calibrate`: about ten milliseconds of an ordinary machine. CPU time and a unit of the same process, so that other
 * programs and slow machines do not matter.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const unit = calibrate();
  const over = new AbortController();
  const watching = watchTurns(over.signal);
  try {
    await work();
  } finally {
    over.abort();
  }
  return (await watching) / unit;
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
