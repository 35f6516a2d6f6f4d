import { compare, jobFor, rateRow } from "./compare.ts";
import type { Pair } from "./compare.ts";
import { LoadGenerator } from "./load/generator.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";
import { asyncCollection, fill, startBaseline, startOurs, stranger, subjectOf, syncCollection } from "./subjects.ts";
import { compareSynchronous } from "./synchronous.ts";

const connections = 32;
const rounds = 5;
const durationMs = 1500;

/** Requests per second of our server on SQLite and of the baseline, and what they cost. */
export async function measureRequests(): Promise<readonly Measurement[]> {
  await using ours = await startOurs();
  await using baseline = await startBaseline("server.ts");
  using load = new LoadGenerator();
  await fill(ours, syncCollection);
  await fill(baseline, syncCollection);
  const pair: Pair = { ours: subjectOf([ours]), baseline: { ...subjectOf([baseline]), poll: false } };

  const { rows } = await compareSynchronous(load, pair, { put: { 32: { rate: 1 } }, get: { 32: { rate: 0.7 } } });
  const refused = await compareRefusals();
  const made = await compare(load, pair, { kind: "putAndWait", collection: asyncCollection, connections });
  return [...rows, refused, rateRow("asynchronous PUT to Succeeded", made, 0.6)];

  /** Each is on the audit log before it is answered; those that wait share a write. In relation to a GET of our own. */
  async function compareRefusals(): Promise<Measurement> {
    const rates: { refused: number[]; get: number[] } = { refused: [], get: [] };
    for (let round = 0; round < rounds; round += 1) {
      const asked = jobFor(pair.ours, { kind: "get", collection: syncCollection, connections }, durationMs, round);
      rates.refused.push((await load.run({ ...asked, kind: "refused", token: stranger.token })).rate);
      rates.get.push((await load.run(asked)).rate);
    }
    const [value, baseline] = [median(rates.refused), median(rates.get)];
    const target = { atLeast: 0.05 };
    return { name: "refused GET (403) to GET", value, unit: "/s", baseline, figure: value / baseline, target };
  }
}
