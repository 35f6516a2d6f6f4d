import { cpuSeconds } from "./cpu-time.ts";
import type { LoadGenerator } from "./load/generator.ts";
import type { LoadJob } from "./load/job.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";
import { apiVersion, resource } from "./subjects.ts";

/** What a load is sent to: one server or several on one database. */
export interface Subject {
  readonly urls: readonly string[];
  readonly token: string;
  /** The processes whose CPU time counts, with everything below them. */
  readonly pids: readonly number[];
  /** Whether the answer to an asynchronous PUT comes before its work is done. */
  readonly poll: boolean;
}

export interface Pair {
  readonly ours: Subject;
  readonly baseline: Subject;
}

export interface Load {
  readonly kind: LoadJob["kind"];
  readonly collection: string;
  readonly connections: number;
}

interface Result {
  /** Requests per second, the median of the rounds. */
  readonly rate: number;
  /** Milliseconds of CPU time per request, over all rounds. The same number is seconds per 1,000 requests. */
  readonly cpu: number;
}

export interface Comparison {
  readonly ours: Result;
  readonly baseline: Result;
}

export interface Rounds {
  readonly count: number;
  readonly durationMs: number;
}

const warmUpMs = 4000;

/** Sends the same load to both in turns, so that a busy moment hits both. One more round, the first, warms up. */
export async function compare(
  generator: LoadGenerator,
  pair: Pair,
  load: Load,
  rounds: Rounds = { count: 5, durationMs: 1500 },
): Promise<Comparison> {
  const samples = { ours: new Samples(), baseline: new Samples() };
  for (let round = 0; round <= rounds.count; round += 1) {
    for (const name of ["ours", "baseline"] as const) {
      const before = await cpuOf(pair[name]);
      const { count, rate } = await generator.run(jobFor(pair[name], load, rounds.durationMs, round));
      const cpu = (await cpuOf(pair[name])) - before;
      if (round > 0) {
        samples[name].add(count, rate, cpu);
      }
    }
  }
  return { ours: samples.ours.result(), baseline: samples.baseline.result() };
}

/**
 * Until a server has compiled what runs often it takes up to three times as long, and the slower of two has served fewer
 * requests after the same time. So both get a while of the same load before anything is measured.
 */
export async function warmUp(generator: LoadGenerator, pair: Pair, load: Load): Promise<void> {
  for (const subject of [pair.ours, pair.baseline]) {
    await generator.run(jobFor(subject, load, warmUpMs, 0));
  }
}

export function jobFor(subject: Subject, load: Load, durationMs: number, round: number): LoadJob {
  const { urls, token, poll } = subject;
  return { ...load, urls, token, poll, apiVersion, body: JSON.stringify(resource), durationMs, round: String(round) };
}

export function rateRow(name: string, { ours, baseline }: Comparison, atLeast?: number): Measurement {
  const [value, base] = [ours.rate, baseline.rate];
  const row = { name, value, unit: "/s", baseline: base, figure: value / base };
  return atLeast === undefined ? row : { ...row, target: { atLeast } };
}

export function cpuRow(name: string, { ours, baseline }: Comparison, atMost?: number): Measurement {
  const [value, base] = [ours.cpu, baseline.cpu];
  const row = { name: `CPU of ${name}`, value, unit: "s per 1,000", baseline: base, figure: value / base };
  return atMost === undefined ? row : { ...row, target: { atMost } };
}

class Samples {
  #count = 0;
  #cpuSeconds = 0;
  readonly #rates: number[] = [];

  add(count: number, rate: number, cpuSeconds: number): void {
    this.#count += count;
    this.#cpuSeconds += cpuSeconds;
    this.#rates.push(rate);
  }

  result(): Result {
    return { rate: median(this.#rates), cpu: (this.#cpuSeconds * 1000) / this.#count };
  }
}

async function cpuOf({ pids }: Subject): Promise<number> {
  const seconds = await Promise.all(pids.map(cpuSeconds));
  return seconds.reduce((sum, one) => sum + one, 0);
}
