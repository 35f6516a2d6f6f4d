import { spawnSync } from "node:child_process";
import path from "node:path";
import { startServerProcess } from "../e2e/support/server-process.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";

const root = path.dirname(import.meta.dirname);
const samples = 21;

/**
 * How long `rad version --cli`, which asks nobody, and `rad group list`, which asks a server on this machine once, take
 * from source and bundled, against Node doing nothing.
 */
export async function measureCli(): Promise<readonly Measurement[]> {
  const bundle = path.join(root, "packages", "cli", "dist", "rad.js");
  const bundling = spawnSync(process.execPath, [path.join(root, "packages", "cli", "scripts", "bundle.ts")]);
  if (bundling.status !== 0) {
    throw new Error(`bundling failed: ${bundling.stderr.toString()}`);
  }
  await using server = await startServerProcess();
  const home = path.join(server.folder, "home");
  const env = { ...process.env, HOME: home, USERPROFILE: home, RADIUS_TOKEN: server.token };
  const source = [path.join(root, "rad")];
  const bundled = [process.execPath, bundle];
  const commands = [
    { name: "nothing", command: [process.execPath, "-e", "0"], atMost: 1 },
    { name: "rad version --cli, from source", command: [...source, "version", "--cli"], atMost: 4 },
    { name: "rad version --cli, bundled", command: [...bundled, "version", "--cli"], atMost: 2.5 },
    { name: "rad group list, from source", command: [...source, "group", "list"], atMost: 3 },
    { name: "rad group list, bundled", command: [...bundled, "group", "list"], atMost: 2 },
  ].map((command) => ({ ...command, times: [] as number[] }));
  time([...bundled, "workspace", "create", "server", "bench", "--url", server.url], env);
  time([...bundled, "group", "create", "bench"], env);
  commands.forEach(({ command }) => time(command, env)); // the first run fills the compile cache
  for (let sample = 0; sample < samples; sample += 1) {
    commands.forEach(({ command, times }) => times.push(time(command, env)));
  }
  const [nothing, ...compared] = commands.map(({ times, ...rest }) => ({ ...rest, value: median(times) }));
  const baseline = nothing?.value ?? Number.NaN;
  return compared.map(({ name, value, atMost }) => {
    return { name, value, unit: "ms", baseline, figure: value / baseline, target: { atMost } };
  });
}

function time(command: readonly string[], env: NodeJS.ProcessEnv): number {
  const [file = "", ...args] = command;
  const started = performance.now();
  const { status, stderr } = spawnSync(file, args, { env });
  const elapsed = performance.now() - started;
  if (status !== 0) {
    throw new Error(`${command.join(" ")} failed: ${stderr.toString()}`);
  }
  return elapsed;
}
