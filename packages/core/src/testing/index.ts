export { FakeClock } from "./fake-clock.ts";
export { MovingClock } from "./moving-clock.ts";
export { until, type UntilOptions } from "./until.ts";
export { longestTurn } from "./longest-turn.ts";
