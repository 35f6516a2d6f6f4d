import { LoadGenerator } from "./load/generator.ts";
import { namesPerConnection } from "./load/job.ts";
import type { LoadJob } from "./load/job.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";
import { apiVersion, asyncCollection, Baseline, resource, startOurs, stranger, syncCollection } from "./subjects.ts";

const connections = 32;
const rounds = 5;
const durationMs = 1500;

interface Subject {
  readonly url: string;
  readonly token: string;
}

/** Requests per second of our server and of the baseline, taken in turns so that a busy moment hits both. */
export async function measureRequests(): Promise<readonly Measurement[]> {
  await using ours = await startOurs();
  await using baseline = await Baseline.start();
  using load = new LoadGenerator();

  const put = await compare("put", syncCollection, 1, "synchronous PUT");
  const get = await compare("get", syncCollection, 0.7, "GET");
  const refused = await compareRefusals();
  const made = await compare("putAndWait", asyncCollection, 0.6, "asynchronous PUT to Succeeded");
  return [get, put, refused, made];

  /** Each is on the audit log before it is answered; those that wait share a write. In relation to a GET of our own. */
  async function compareRefusals(): Promise<Measurement> {
    const rates: { refused: number[]; get: number[] } = { refused: [], get: [] };
    for (let round = 0; round < rounds; round += 1) {
      const asked = job(ours, "get", syncCollection, round);
      rates.refused.push(await load.run({ ...asked, kind: "refused", token: stranger.token }));
      rates.get.push(await load.run(asked));
    }
    const [value, baseline] = [median(rates.refused), median(rates.get)];
    const target = { atLeast: 0.05 };
    return { name: "refused GET (403) to GET", value, unit: "/s", baseline, figure: value / baseline, target };
  }

  async function compare(
    kind: LoadJob["kind"],
    collection: string,
    atLeast: number,
    name: string,
  ): Promise<Measurement> {
    if (kind === "put") {
      await fill(ours, collection);
      await fill(baseline, collection);
    }
    const rates: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] };
    for (let round = 0; round <= rounds; round += 1) {
      const pair = {
        ours: await load.run(job(ours, kind, collection, round)),
        baseline: await load.run(job(baseline, kind, collection, round)),
      };
      if (round > 0) {
        // the first round warms up
        rates.ours.push(pair.ours);
        rates.baseline.push(pair.baseline);
      }
    }
    const [value, base] = [median(rates.ours), median(rates.baseline)];
    return { name, value, unit: "/s", baseline: base, figure: value / base, target: { atLeast } };
  }

  function job(subject: Subject, kind: LoadJob["kind"], collection: string, round: number): LoadJob {
    const poll = subject === ours;
    const { url, token } = subject;
    const body = JSON.stringify(resource);
    return { url, token, kind, collection, apiVersion, body, connections, durationMs, round: String(round), poll };
  }
}

/** Makes the resources that GET and PUT go round over. */
export async function fill(subject: Subject, collection: string): Promise<void> {
  for (let connection = 0; connection < connections; connection += 1) {
    for (let index = 0; index < namesPerConnection; index += 1) {
      const response = await fetch(
        `${subject.url}${collection}/item-${connection}-${index}?api-version=${apiVersion}`,
        {
          method: "PUT",
          headers: { "content-type": "application/json", authorization: `Bearer ${subject.token}` },
          body: JSON.stringify(resource),
        },
      );
      if (!response.ok) {
        throw new Error(`cannot fill ${collection}: ${response.status} ${await response.text()}`);
      }
    }
  }
}
