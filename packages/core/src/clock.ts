/** Time as a dependency, so that tests can move it. */
export interface Clock {
  /** The wall clock's time, for people and for other machines. It may jump either way. */
  now(): Date;
  /** Milliseconds since some moment. For durations within a process: it never jumps, nor goes back. */
  monotonicMs(): number;
  /** Resolves after `ms`, never at once; rejects with the signal's reason when that aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now(), sleep };

/** Beyond 2^31 ms a timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let leftMs = ms;
  do {
    await oneTimer(Math.min(leftMs, longestTimerMs), signal);
    leftMs -= longestTimerMs;
  } while (leftMs > 0);
}

function oneTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
