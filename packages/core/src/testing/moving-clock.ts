import { type Clock, systemClock } from "../clock.ts";

/** The system's clock, which a test can put forward. Sleeping takes its time. */
export class MovingClock implements Clock {
  aheadMs = 0;

  now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal);
  }
}
