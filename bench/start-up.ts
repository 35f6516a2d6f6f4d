import { spawnSync } from "node:child_process";
import path from "node:path";
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
