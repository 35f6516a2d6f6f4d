import { heavyBodies } from "../e2e/heavy/heavy-bodies.ts";
import type { HeavyRequest } from "../e2e/heavy/heavy-request.ts";
import { heavyTemplates } from "../e2e/heavy/heavy-templates.ts";
import { registerHeavyTypes } from "../e2e/heavy/heavy-types.ts";
import { jobFor } from "./compare.ts";
import { LoadGenerator } from "./load/generator.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";
import { fill, startOurs, subjectOf, syncCollection } from "./subjects.ts";

const rounds = 5;
const durationMs = 2_000;
const connections = 32;

/** What costs a server most for what it costs the caller. */
const worst = [
  "small numbers and one of 16 digits",
  "keys that the schema does not know",
  "100,000 secrets",
  "validate: user functions that call the one before twice",
  "what-if: 64 outputs of nested lambdas",
  "validate: map of map of map",
  "what-if: intersections",
];

/** Requests per second beside a caller who sends the worst, one request after the other, in relation to those without. */
export async function measureBeside(): Promise<readonly Measurement[]> {
  await using server = await startOurs();
  await registerHeavyTypes(server);
  await fill(server, syncCollection);
  using generator = new LoadGenerator();
  const heavy = [...heavyBodies, ...heavyTemplates]
    .filter(({ name }) => worst.includes(name))
    .map((request) => ({ ...request, bytes: Buffer.from(request.body?.() ?? "") }));

  const measurements: Measurement[] = [];
  for (const kind of ["get", "put"] as const) {
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const rates = [await rateOf(kind), await disturbed(() => rateOf(kind))] as const;
      if (round > 0) {
        alone.push(rates[0]);
        beside.push(rates[1]);
      }
    }
    const [value, baseline] = [median(beside), median(alone)];
    const name = `${kind.toUpperCase()} beside the heaviest requests`;
    measurements.push({ name, value, unit: "/s", baseline, figure: value / baseline, target: { atLeast: 0.6 } });
  }
  return measurements;

  async function rateOf(kind: "get" | "put"): Promise<number> {
    const load = { kind, collection: syncCollection, connections };
    return (await generator.run(jobFor(subjectOf([server]), load, durationMs, 0))).rate;
  }

  async function disturbed(work: () => Promise<number>): Promise<number> {
    const stop = new AbortController();
    const disturbing = disturb(stop.signal);
    try {
      return await work();
    } finally {
      stop.abort();
      await disturbing;
    }
  }

  async function disturb(signal: AbortSignal): Promise<void> {
    for (let index = 0; !signal.aborted; index += 1) {
      const request = heavy[index % heavy.length];
      if (request !== undefined) {
        await send(request, signal).catch(() => {}); // cut off at the end of the round
      }
    }
  }

  async function send(request: HeavyRequest & { readonly bytes: Buffer }, signal: AbortSignal): Promise<void> {
    const response = await fetch(`${server.url}${request.path}`, {
      method: request.method,
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body: new Uint8Array(request.bytes),
      signal,
    });
    await response.arrayBuffer();
  }
}
