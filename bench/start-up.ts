import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServerProcess } from "../e2e/support/server-process.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";

const root = path.dirname(import.meta.dirname);
const samples = 21;

/** How long `rad version --cli` takes, from source and bundled, against Node doing nothing. */
export function measureCli(): readonly Measurement[] {
  const bundle = path.join(root, "packages", "cli", "dist", "rad.js");
  const bundling = spawnSync(process.execPath, [path.join(root, "packages", "cli", "scripts", "bundle.ts")]);
  if (bundling.status !== 0) {
    throw new Error(`bundling failed: ${bundling.stderr.toString()}`);
  }
  const nothing = [process.execPath, "-e", "0"];
  const commands = {
    nothing,
    source: [path.join(root, "rad"), "version", "--cli"],
    bundled: [process.execPath, bundle, "version", "--cli"],
  };
  const times: Record<keyof typeof commands, number[]> = { nothing: [], source: [], bundled: [] };
  for (let sample = 0; sample < samples; sample += 1) {
    times.nothing.push(time(commands.nothing));
    times.source.push(time(commands.source));
    times.bundled.push(time(commands.bundled));
  }
  const baseline = median(times.nothing);
  const compared = (name: string, value: number, atMost: number): Measurement => {
    return { name, value, unit: "ms", baseline, figure: value / baseline, target: { atMost } };
  };
  return [
    compared("rad version --cli, from source", median(times.source), 4),
    compared("rad version --cli, bundled", median(times.bundled), 2.5),
  ];
}

/** From spawning the process to its first answer at /readyz, and what it takes in memory when left alone. */
export async function measureServer(): Promise<readonly Measurement[]> {
  const ready: number[] = [];
  for (let sample = 0; sample < 5; sample += 1) {
    const started = performance.now();
    await using server = await startServerProcess();
    const { status } = await fetch(`${server.url}/readyz`);
    if (status !== 200) {
      throw new Error(`/readyz answered ${status}`);
    }
    ready.push(performance.now() - started);
    await server.end("SIGTERM"); // a process that is killed leaves no compile cache for the next
  }
  await using server = await startServerProcess();
  await sleep(5000);
  const [readyMs, megabytes] = [median(ready), await residentMegabytes(server.pid)];
  return [
    { name: "server ready", value: readyMs, unit: "ms", figure: readyMs, target: { atMost: 1000 } },
    { name: "server idle", value: megabytes, unit: "MB", figure: megabytes, target: { atMost: 120 } },
  ];
}

function time(command: readonly string[]): number {
  const [file = "", ...args] = command;
  const started = performance.now();
  const { status, stderr } = spawnSync(file, args);
  const elapsed = performance.now() - started;
  if (status !== 0) {
    throw new Error(`${command.join(" ")} failed: ${stderr.toString()}`);
  }
  return elapsed;
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
