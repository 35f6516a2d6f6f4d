import { ApiError } from "@rad/core";
import type { OperationContext, Outcome } from "@rad/operations";
import { ended, type InstallerRecord, type Job, started, usableBinary } from "../status/installer-record.ts";
import type { InstalledBinary } from "../volume/binary-volume.ts";
import { inUseText } from "./installer.ts";
import { nameOf } from "./install-job.ts";
import type { JobDeps } from "./job-deps.ts";
import { type JobProgress, jobPut, jobRemoval, readProgress } from "../status/job-document.ts";
import { JobSteps } from "./job-steps.ts";
import { removeUnused } from "./remove-unused.ts";

/** The uninstall waits, or it is done and this is what was removed. */
export type UninstallResult =
  | { readonly kind: "pause"; readonly outcome: Outcome }
  | { readonly kind: "removed"; readonly binary: InstalledBinary };

/**
 * Uninstalls the version that is active when the job has its turn:
 *
 *     1 count executions ── some ──→ fails, nothing changed
 *     2 none: mark the version `pending-deletion`; from now on no execution begins
 *     3 wait for the drain period, parked, without a slot of the worker; the queue waits as well
 *     4 count again ──────── some ──→ fails, back to `ready`
 *     5 none: `uninstalling`; remove links and binaries
 *     6 `not-installed`
 *
 * The state in the record tells another attempt where to go on.
 */
export async function runUninstall(context: OperationContext, job: Job, deps: JobDeps): Promise<UninstallResult> {
  const { store, clock, tracing, records, drainMs } = deps;
  const { operation, log } = context;
  const now = (): string => clock.now().toISOString();
  const progress = await readProgress(store, operation.id);
  const steps = new JobSteps({ context, clock, tracing, progress });
  const { record } = await records.read();
  if (record.state === "uninstalling") {
    return await remove(context, job, steps, deps);
  }
  const binary = usableBinary(record);
  if (binary === undefined) {
    throw new ApiError("NotFound", "Terraform is not installed");
  }
  const { product, version } = binary;
  const wanted = { ...job, product, version };
  if (record.state !== "pending-deletion") {
    const executions = await steps.run("count", async () => (await deps.leases.live()).length);
    if (executions > 0) {
      throw new ApiError("Conflict", inUseText(product, executions));
    }
    await records.update((found) => {
      const marked = started(found, wanted, "pending-deletion", now());
      return { result: undefined, record: marked };
    }, context);
    log.info("uninstall waits for the drain period", { product, terraformVersion: version, drainMs });
  }
  if (progress.drained !== true) {
    const drained: JobProgress = { ...progress, step: "drain", drained: true };
    const change = { document: jobPut(operation.id, drained) };
    return { kind: "pause", outcome: { kind: "again", afterMs: Math.max(1, drainMs), change } };
  }
  const left = await steps.run("count again", async () => (await deps.leases.live()).length);
  if (left > 0) {
    const message =
      `${nameOf(binary)} was not uninstalled: ${left} active executions did not complete within the drain period of ` +
      `${drainMs / 1_000} seconds (timeout). Retry after executions complete.`;
    throw new ApiError("Conflict", message);
  }
  await records.update((found) => ({ result: undefined, record: { ...found, state: "uninstalling" } }), context);
  return await remove(context, wanted, steps, deps);
}

async function remove(context: OperationContext, job: Job, steps: JobSteps, deps: JobDeps): Promise<UninstallResult> {
  const { volume, records, clock } = deps;
  const { record } = await records.read();
  const binary = record.current;
  if (binary === undefined) {
    throw new ApiError("NotFound", "Terraform is not installed");
  }
  await steps.run("remove", async () => {
    await volume.repair();
    await volume.deactivate();
    await removeUnused({}, { ...deps, log: context.log });
  });
  await records.update((found) => {
    const end = { state: "succeeded", version: binary.version } as const;
    return {
      result: undefined,
      record: uninstalled(ended(found, { ...job, product: binary.product }, end, clock.now().toISOString())),
      change: { also: [jobRemoval(context.operation.id)] },
    };
  }, context);
  context.log.info("uninstall finished", { product: binary.product, terraformVersion: binary.version });
  return { kind: "removed", binary };
}

function uninstalled(record: InstallerRecord): InstallerRecord {
  return { ...record, state: "not-installed", current: undefined, previous: undefined, health: undefined };
}
