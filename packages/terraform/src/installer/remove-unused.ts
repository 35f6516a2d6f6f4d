import type { Logger } from "@rad/core";
import type { ExecutionLeases } from "../leases/execution-leases.ts";
import type { InstallerRecord } from "../status/installer-record.ts";
import type { BinaryVolume, InstalledBinary } from "../volume/binary-volume.ts";

type Named = Pick<InstalledBinary, "product" | "version">;

export interface RemoveUnusedOptions {
  readonly volume: BinaryVolume;
  readonly leases: ExecutionLeases;
  readonly log: Logger;
}

/**
 * Removes binaries that are neither active, nor the one before, nor used by an execution. Those that are still in use go
 * another time: after the next job, or in the hourly clean-up.
 */
export async function removeUnused(
  { current, previous }: Pick<InstallerRecord, "current" | "previous">,
  { volume, leases, log }: RemoveUnusedOptions,
): Promise<void> {
  // First the list: an execution can only begin with the active binary, so none that is unused now is used later.
  const binaries = await volume.list();
  const kept: readonly (Named | undefined)[] = [current, previous, ...(await leases.live())];
  for (const binary of binaries) {
    if (!kept.some((each) => each?.product === binary.product && each.version === binary.version)) {
      await volume.remove(binary.product, binary.version);
      log.info("an unused binary was removed", { product: binary.product, terraformVersion: binary.version });
    }
  }
}
