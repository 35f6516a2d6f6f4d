// Loaded before a server (`node --import`): lets a test set its wall clock. The file that RAD_TEST_CLOCK_FILE names holds
// how many milliseconds the clock is ahead; SIGUSR2 says that it has changed. Only `Date` is moved: timers and
// `performance.now` go by the monotonic clock, which cannot be set.
import { readFileSync } from "node:fs";

const file = process.env["RAD_TEST_CLOCK_FILE"] ?? "";
const RealDate = Date;
let aheadMs = read();
process.on("SIGUSR2", () => {
  aheadMs = read();
});

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + aheadMs] : args, newTarget) as object,
  apply: () => new Date().toString(),
  get: (target, key, receiver) =>
    key === "now" ? () => target.now() + aheadMs : (Reflect.get(target, key, receiver) as unknown),
});

function read(): number {
  return Number(readFileSync(file, "utf8"));
}
