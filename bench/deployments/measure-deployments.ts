import { readFile } from "node:fs/promises";
import { createClient } from "@rad/client";
import type { ServerProcess } from "../../e2e/support/server-process.ts";
import { median } from "../report.ts";
import type { Measurement } from "../report.ts";
import { apiVersion, startOurs } from "../subjects.ts";
import type { TemplateForm } from "./bench-template.ts";
import { putAll } from "./bare-puts.ts";
import { deployAll } from "./deploy-all.ts";
import { measurePlanning } from "./planning.ts";

/** Resources, and how often each size is measured in every round: what takes longer varies less. */
const sizes = [
  { count: 10, perRound: 40 },
  { count: 100, perRound: 9 },
  { count: 1000, perRound: 1 },
  { count: 5000, perRound: 1 },
] as const;
const rounds = 3;
const [few, many] = [100, 5000];
const types = { synchronous: "Radius.Core/settings", asynchronous: "Bench.Load/items" } as const;
type Mode = keyof typeof types;

/** What one resource costs, deployed and put without a deployment, by size. */
interface Costs {
  readonly deployed: ReadonlyMap<number, number>;
  readonly bare: ReadonlyMap<number, number>;
}

/**
 * Deployments of growing size from PUT to Succeeded, in turns with as many bare PUTs of the same bodies to the same
 * server, as many at once as a deployment has under way. Groups are new each time, so everything is created.
 */
export async function measureDeployments(): Promise<readonly Measurement[]> {
  await using server = await startOurs();
  const measurements: Measurement[] = [];
  for (const mode of ["synchronous", "asynchronous"] as const) {
    for (const form of ["copy", "literal"] as const) {
      await measureOnce(server, mode, form, many, "warm"); // compiles what runs often
      measurements.push(...compared(`${mode}, ${form}`, await costs(server, mode, form)));
    }
  }
  const planning = measurePlanning(many);
  return [...measurements, ...planning, await peakMemory(server)];
}

/** Sizes take turns, so that a busy moment of the machine hits more than one of them. */
async function costs(server: ServerProcess, mode: Mode, form: TemplateForm): Promise<Costs> {
  const deployed = new Map<number, number[]>(sizes.map(({ count }) => [count, []]));
  const bare = new Map<number, number[]>(sizes.map(({ count }) => [count, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { count, perRound } of sizes) {
      for (let sample = 0; sample < perRound; sample += 1) {
        const pair = await measureOnce(server, mode, form, count, `${round}-${sample}`);
        deployed.get(count)?.push(pair.deployed / count);
        bare.get(count)?.push(pair.bare / count);
      }
    }
  }
  return { deployed: medians(deployed), bare: medians(bare) };
}

function medians(samples: ReadonlyMap<number, readonly number[]>): ReadonlyMap<number, number> {
  return new Map([...samples].map(([count, values]) => [count, median(values)]));
}

async function measureOnce(
  server: ServerProcess,
  mode: Mode,
  form: TemplateForm,
  count: number,
  round: string,
): Promise<{ deployed: number; bare: number }> {
  const client = createClient({ endpoint: server.url, token: server.token });
  const name = `${mode}-${form}-${count}-${round}`;
  await client.groups.put(`d-${name}`);
  await client.groups.put(`p-${name}`);
  const job = { url: server.url, token: server.token, type: types[mode], apiVersion, count };
  const deployed = await deployAll({ ...job, group: `d-${name}`, form });
  const bare = await putAll({ ...job, group: `p-${name}`, poll: mode === "asynchronous" });
  return { deployed, bare };
}

function compared(name: string, { deployed, bare }: Costs): Measurement[] {
  const cost = (from: ReadonlyMap<number, number>, count: number): number => from.get(count) ?? NaN;
  const [value, baseline] = [cost(deployed, many), cost(deployed, few)];
  return [
    ...sizes.map(({ count }) => {
      const [value, baseline] = [cost(deployed, count), cost(bare, count)];
      const title = `deploy ${count} (${name}), against bare PUTs`;
      return { name: title, value, unit: "ms each", baseline, figure: value / baseline, target: { atMost: 2 } };
    }),
    {
      name: `one of ${many} (${name}), against one of ${few}`,
      value,
      unit: "ms each",
      baseline,
      figure: value / baseline,
      target: { atMost: 1.3 },
    },
  ];
}

/** Of the server, over everything that was measured. */
async function peakMemory(server: ServerProcess): Promise<Measurement> {
  const status = await readFile(`/proc/${server.pid}/status`, "utf8");
  const megabytes = Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  return { name: "server at its peak", value: megabytes, unit: "MB", figure: megabytes, target: { atMost: 1024 } };
}
