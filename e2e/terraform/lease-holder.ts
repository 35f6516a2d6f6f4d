// An execution that uses the active binary, in a process of its own:
//   node e2e/terraform/lease-holder.ts <database URL> <key file> <root of the volume>
// It stands for a recipe. It says in one JSON line which binary it has, and gives it back on SIGTERM.
import { silentLogger, systemClock } from "@rad/core";
import { openPostgresStore, readKeyFile } from "@rad/store";
import type { Store } from "@rad/store";
import { createBinaryVolume, ExecutionLeases, InstallerRecords } from "@rad/terraform";

/** As `operations.leaseSeconds` of the servers. */
export const leaseMs = 2_000;

export function leasesOf(store: Store, root: string): ExecutionLeases {
  return new ExecutionLeases({
    store,
    clock: systemClock,
    log: silentLogger,
    records: new InstallerRecords(store, systemClock),
    volume: createBinaryVolume({ root, clock: systemClock }),
    leaseMs,
  });
}

if (import.meta.main) {
  const [url = "", keyFile = "", root = ""] = process.argv.slice(2);
  const store = await openPostgresStore({ url, keys: await readKeyFile(keyFile), log: silentLogger });
  const lease = await leasesOf(store, root).acquire();
  const hold = setInterval(() => {}, 60_000);
  process.once("SIGTERM", () => {
    clearInterval(hold);
    void lease[Symbol.asyncDispose]().then(() => process.exit(0));
  });
  const { product, version, path, sha256 } = lease;
  process.stdout.write(`${JSON.stringify({ product, version, path, sha256 })}\n`);
}
