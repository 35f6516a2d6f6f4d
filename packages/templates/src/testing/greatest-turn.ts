export interface Turns<T> {
  readonly result: T;
  /** The greatest CPU time of this thread between two turns of the event loop, in milliseconds. */
  readonly greatestMs: number;
}

/** Runs work, and watches meanwhile how long others on this thread have to wait. */
export async function greatestTurn<T>(work: () => Promise<T>): Promise<Turns<T>> {
  await nextTurn();
  let greatest = 0;
  let running = true;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    greatest = Math.max(greatest, user + system);
    before = process.threadCpuUsage();
    if (running) {
      setImmediate(look);
    }
  };
  setImmediate(look);
  try {
    const result = await work();
    await nextTurn();
    return { result, greatestMs: greatest / 1_000 };
  } finally {
    running = false;
  }
}

/**
 * What this machine needs for a fixed piece of work, in milliseconds of CPU time: about ten where this was written. Limits
 * are multiples of it, so that they hold on a machine that is slower, or busy.
 */
export function calibrate(): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    const map = new Map<string, number>();
    for (let index = 0; index < 60_000; index += 1) {
      map.set(`key ${index}`, index);
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return times.sort((a, b) => a - b)[2] ?? 10;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
