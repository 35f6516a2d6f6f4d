import type { Clock, Tracing } from "@rad/core";
import type { Store } from "@rad/store";
import type { ExecutionLeases } from "../leases/execution-leases.ts";
import type { InstallerRecords } from "../status/installer-records.ts";
import type { BinaryVolume } from "../volume/binary-volume.ts";
import type { BinaryHealth } from "./binary-health.ts";

/** What jobs work with. */
export interface JobDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly tracing: Tracing;
  readonly volume: BinaryVolume;
  readonly records: InstallerRecords;
  readonly leases: ExecutionLeases;
  readonly health: BinaryHealth;
  /** How long an install may run, over all attempts. */
  readonly timeoutMs: number;
  /** How long an uninstall waits between its two looks at the executions. */
  readonly drainMs: number;
}
