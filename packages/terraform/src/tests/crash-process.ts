/**
 * A process that kills itself right before its nth change of names in the file system, while it works on a volume with
 * version 1.0.0 active. Takes an argument in JSON: `CrashOrder`.
 */
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

export interface CrashOrder {
  /** Replaces the active binary by another build, upgrades to 2.0.0, or uninstalls. */
  readonly scenario: "replace" | "upgrade" | "uninstall";
  readonly root: string;
  readonly caBundle: string;
  readonly url: string;
  readonly killAt: number;
}

const { scenario, root, caBundle, url, killAt } = JSON.parse(process.argv[2] ?? "") as CrashOrder;
let changes = 0;

for (const name of ["mkdir", "rename", "rm", "symlink", "open"] as const) {
  const original = promises[name] as (...args: unknown[]) => Promise<unknown>;
  const counted = async (...args: unknown[]): Promise<unknown> => {
    if (name === "open" && args[1] === "r") {
      return await original(...args);
    }
    if (changes === killAt) {
      process.kill(process.pid, "SIGKILL");
    }
    changes += 1;
    return await original(...args);
  };
  Object.assign(promises, { [name]: counted });
}
syncBuiltinESMExports();

const { createBinaryVolume } = await import("../volume/disk-volume.ts");
const { systemClock } = await import("@rad/core");
const volume = createBinaryVolume({ root, caBundle, clock: systemClock });
if (scenario === "uninstall") {
  await volume.deactivate();
  await volume.remove("terraform", "1.0.0");
} else {
  const binary = await volume.install({ product: "terraform", url }, { signal: AbortSignal.timeout(60_000) });
  await volume.activate(binary);
}
