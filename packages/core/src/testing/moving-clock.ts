import { type Clock, systemClock } from "../clock.ts";

/** The system's clock, which a test can put forward. Sleeping takes its time unless the test says otherwise. */
export class MovingClock implements Clock {
  aheadMs = 0;
  readonly #sleep: Clock["sleep"];

  constructor(sleep: Clock["sleep"] = (ms, signal) => systemClock.sleep(ms, signal)) {
    this.#sleep = sleep;
  }

  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  monotonicMs(): number {
    return performance.now() + this.aheadMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#sleep(ms, signal);
  }
}
