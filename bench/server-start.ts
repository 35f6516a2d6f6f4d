import { freePort } from "@rad/store/testing";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";

const root = path.dirname(import.meta.dirname);
const samples = 15;
const pollMs = 2;

/** A program that listens on a port with its database in a folder. */
interface Program {
  /** What Node is given. */
  args(folder: string, port: number): Promise<readonly string[]>;
  /** Where it answers 200 as soon as it can answer at all. */
  readonly readyPath: string;
}

const ours: Program = {
  readyPath: "/readyz",
  args: async (folder, port) => {
    const config = path.join(folder, "config.json"); // JSON is YAML
    const sqlite = { directory: path.join(folder, "data") };
    await writeFile(config, JSON.stringify({ server: { host: "127.0.0.1", port }, databaseProvider: { sqlite } }));
    return [path.join(root, "packages", "control-plane", "src", "main.ts"), config];
  },
};

const baseline: Program = {
  readyPath: "/ready",
  args: async (folder, port) => [path.join(import.meta.dirname, "baseline", "server.ts"), folder, String(port)],
};

/**
 * Time from spawning the process to the first 200 of a polling client, with an empty folder and with the database of an
 * earlier start, against the bare server of `baseline/server.ts`.
 */
export async function measureReady(): Promise<readonly Measurement[]> {
  const times = {
    first: { ours: new Array<number>(), baseline: new Array<number>() },
    again: { ours: new Array<number>(), baseline: new Array<number>() },
  };
  for (let sample = -1; sample < samples; sample += 1) {
    const [own, bare] = [await startTwice(ours), await startTwice(baseline)];
    if (sample >= 0) {
      // the first round fills the compile cache
      times.first.ours.push(own.first);
      times.first.baseline.push(bare.first);
      times.again.ours.push(own.again);
      times.again.baseline.push(bare.again);
    }
  }
  return [compared("server ready, first start", times.first), compared("server ready, later starts", times.again)];
}

function compared(name: string, times: { readonly ours: number[]; readonly baseline: number[] }): Measurement {
  const [value, base] = [median(times.ours), median(times.baseline)];
  return { name, value, unit: "ms", baseline: base, figure: value / base, target: { atMost: 1.5 } };
}

async function startTwice(program: Program): Promise<{ readonly first: number; readonly again: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-start-"));
  try {
    return { first: await timeToReady(program, folder), again: await timeToReady(program, folder) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timeToReady(program: Program, folder: string): Promise<number> {
  const port = await freePort();
  const args = await program.args(folder, port);
  const started = performance.now();
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], { stdio: "ignore" });
  while ((await statusOf(`http://127.0.0.1:${port}${program.readyPath}`)) !== 200) {
    requireRunning(child, args);
    await sleep(pollMs);
  }
  const elapsed = performance.now() - started;
  await sleep(1_000); // what is loaded afterwards belongs to the compile cache too
  const exited = once(child, "exit");
  child.kill("SIGTERM"); // a process that is killed leaves no compile cache for the next
  await exited;
  return elapsed;
}

function requireRunning({ exitCode, signalCode }: ChildProcess, args: readonly string[]): void {
  if (exitCode !== null || signalCode !== null) {
    throw new Error(`${args.join(" ")} ended before it was ready`);
  }
}

/** `undefined` when nobody listens. */
async function statusOf(url: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  get(url, { agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode);
  }).on("error", () => resolve(undefined));
  return await promise;
}
