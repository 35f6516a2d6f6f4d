import type { Clock } from "@rad/core";

export class FakeClock implements Clock {
  #now = Date.now();

  now(): Date {
    return new Date(this.#now);
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}
