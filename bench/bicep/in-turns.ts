import { median } from "../report.ts";

/**
 * Median milliseconds of each of the given pieces of work. They run in turns, so that a busy moment of the machine hits
 * all of them, and the first rounds only warm up.
 */
export function medianTimes<Name extends string>(
  works: Readonly<Record<Name, () => unknown>>,
  rounds: { readonly warmUp: number; readonly measured: number },
): Record<Name, number> {
  const times = new Map<Name, number[]>();
  for (let round = -rounds.warmUp; round < rounds.measured; round += 1) {
    for (const [name, work] of Object.entries(works) as [Name, () => unknown][]) {
      const started = performance.now();
      work();
      const elapsed = performance.now() - started;
      if (round >= 0) {
        times.set(name, [...(times.get(name) ?? []), elapsed]);
      }
    }
  }
  return Object.fromEntries(Array.from(times, ([name, values]) => [name, median(values)])) as Record<Name, number>;
}
