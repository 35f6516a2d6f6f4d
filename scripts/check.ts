// Format, lint, types, dead code, the direction of imports and tests of requirements: everything that can be known without running a test.
import { spawnSync } from "node:child_process";

const steps: readonly (readonly [string, ...string[]])[] = [
  ["oxfmt", "--check"],
  ["oxlint", "--deny-warnings"],
  ["tsc", "--project", "."],
  ["knip"],
  ["node", "scripts/imports/main.ts"],
  ["node", "scripts/requirements/main.ts"],
];

/** Runs every step, so that one call shows all there is to fix. */
export function check(): boolean {
  let ok = true;
  for (const [command, ...args] of steps) {
    const started = performance.now();
    const { status, error } = spawnSync(command, args, { stdio: "inherit" });
    const outcome = error?.message ?? (status === 0 ? "ok" : "failed");
    process.stdout.write(
      `${command === "node" ? args[0] : command}: ${outcome} (${seconds(performance.now() - started)})\n`,
    );
    ok &&= status === 0;
  }
  return ok;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

if (import.meta.main && !check()) {
  process.exitCode = 1;
}
