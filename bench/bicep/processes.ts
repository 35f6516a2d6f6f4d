import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Measurement } from "../report.ts";
import { generateBicep } from "./generate-bicep.ts";
import { medianTimes } from "./in-turns.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** `rad bicep build` of a small file as a new process, against Node doing nothing. */
export function measureColdBuild(): readonly Measurement[] {
  run([path.join(root, "packages", "cli", "scripts", "bundle.ts")]);
  const bundle = path.join(root, "packages", "cli", "dist", "rad.js");
  const folder = mkdtempSync(path.join(tmpdir(), "rad-bench-"));
  try {
    const file = path.join(folder, "main.bicep");
    writeFileSync(file, generateBicep(300));
    const times = medianTimes(
      { nothing: () => run(["-e", "0"]), build: () => run([bundle, "bicep", "build", file]) },
      { warmUp: 2, measured: 21 },
    );
    const { build: value, nothing: baseline } = times;
    const name = "rad bicep build of 300 lines, bundled";
    return [{ name, value, unit: "ms", baseline, figure: value / baseline, target: { atMost: 4 } }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** There is no baseline for memory: the bounds are what we do not want to exceed unawares. */
export function measurePeakMemory(): readonly Measurement[] {
  return [
    { lines: 10_000, atMost: 256 },
    { lines: 50_000, atMost: 640 },
  ].map(({ lines, atMost }) => {
    const kilobytes = Number(run([fileURLToPath(import.meta.resolve("./peak-memory.ts")), String(lines)]));
    const value = kilobytes / 1024;
    return { name: `peak memory, ${lines} lines`, value, unit: "MB", figure: value, target: { atMost } };
  });
}

function run(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) {
    throw new Error(`node ${args.join(" ")} failed: ${stderr}`);
  }
  return stdout;
}
