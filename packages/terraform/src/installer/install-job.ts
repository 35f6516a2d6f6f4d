import { ApiError } from "@rad/core";
import type { OperationContext } from "@rad/operations";
import { productNames } from "../product.ts";
import { ended, type InstallerRecord, type Job, started } from "../status/installer-record.ts";
import type { InstalledBinary, InstallOrder } from "../volume/binary-volume.ts";
import { secretsIn } from "./install-request.ts";
import { hasContent, inUseText } from "./installer.ts";
import { startDeadline } from "./job-deadline.ts";
import type { JobDeps } from "./job-deps.ts";
import { jobRemoval, openOrder } from "../status/job-document.ts";
import { JobSteps } from "./job-steps.ts";
import { removeUnused } from "./remove-unused.ts";

/**
 * Installs what the job asks for and makes it the active binary. Until the last transaction the version before is the one
 * that executions get; a crash before it leaves a binary on the volume that the next attempt finds there.
 * @returns what is active now
 */
export async function runInstall(context: OperationContext, job: Job, deps: JobDeps): Promise<InstalledBinary> {
  const { store, volume, records, clock } = deps;
  const { operation, log } = context;
  const now = (): string => clock.now().toISOString();
  const toStore = (record: InstallerRecord) => ({ result: undefined, record });
  await records.update((record) => toStore(started(record, job, "installing", now())), context);
  using deadline = await startDeadline(context, deps);
  const steps = new JobSteps({ context, clock, tracing: deps.tracing, progress: deadline.progress });
  const { product, version, checksum } = job;
  const order: InstallOrder = { product, version, checksum, ...(await openOrder(store, operation.id)) };
  context.hide(secretsIn(order.url));
  const host = order.url === undefined ? undefined : new URL(order.url).host;
  log.info("install started", { product, terraformVersion: version, mirror: host });

  await steps.run("repair", () => volume.repair());
  const found = await steps.run("look", () => findOnVolume(order, deps));
  const binary =
    found ?? (await steps.runAll((at) => volume.install(order, { signal: deadline.signal, progress: at })));
  deadline.signal.throwIfAborted();

  // The write of the step is refused when another worker has the job by now: links are not switched by one that is late.
  await steps.run("activate", () => volume.activate(binary));
  const after = await records.update((record) => {
    const done = activated(record, job, binary, now());
    return { result: done, record: done, change: { also: [jobRemoval(operation.id)] } };
  }, context);
  log.info("install finished", {
    product: binary.product,
    terraformVersion: binary.version,
    source: binary.source.url,
    verified: binary.verified,
  });
  await removeUnused(after, { ...deps, log }).catch((error: unknown) => {
    log.warn("unused binaries could not be removed; the next clean-up tries again", { error });
  });
  return binary;
}

/** The wanted binary, if an earlier job or attempt has left it on the volume and it is sound. */
async function findOnVolume(order: InstallOrder, { volume, leases }: JobDeps): Promise<InstalledBinary | undefined> {
  const { product, version } = order;
  const found = version === undefined ? undefined : await volume.find(product, version);
  if (found === undefined || !(await volume.isHealthy(found))) {
    return undefined;
  }
  if (hasContent(found, order)) {
    return found;
  }
  // Another archive for the same version would take the place of the file that they run.
  const users = (await leases.live()).filter((lease) => lease.product === product && lease.version === version);
  if (users.length > 0) {
    throw new ApiError("Conflict", inUseText(product, users.length));
  }
  return undefined;
}

function activated(record: InstallerRecord, job: Job, binary: InstalledBinary, now: string): InstallerRecord {
  const { product, version } = binary;
  const { current } = record;
  const isSame = current?.product === product && current.version === version;
  const before =
    isSame || current === undefined ? record.previous : { product: current.product, version: current.version };
  const previous = before?.product === product && before.version === version ? undefined : before;
  const end = { state: "succeeded", version } as const;
  return { ...ended(record, job, end, now), current: binary, health: "healthy", previous, state: "ready" };
}

/** How texts name what a job is about. */
export function nameOf({ product, version }: Pick<Job, "product" | "version">): string {
  return version === undefined ? productNames[product] : `${productNames[product]} ${version}`;
}
