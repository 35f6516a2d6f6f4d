import { ApiError, type ErrorDetail } from "@rad/core";
import {
  type Ending,
  type OperationContext,
  type OperationExecutor,
  OperationStopped,
  type Outcome,
} from "@rad/operations";
import { type Operation, type OperationOutcome, StoreError } from "@rad/store";
import { InstallError } from "../install-error.ts";
import type { Product } from "../product.ts";
import {
  ended,
  type HistoryEntry,
  type InstallerRecord,
  type Job,
  type JobEnd,
  restingState,
  usableBinary,
} from "../status/installer-record.ts";
import { runInstall } from "./install-job.ts";
import { jobOutcome } from "./installer-audit.ts";
import type { InstallerMetrics } from "./installer-metrics.ts";
import type { JobDeps } from "./job-deps.ts";
import { jobRemoval } from "../status/job-document.ts";
import { runUninstall } from "./uninstall-job.ts";

export interface InstallerExecutorOptions extends JobDeps {
  readonly metrics: InstallerMetrics;
}

/**
 * Runs the jobs of the installer's queue. What a job changes is in the installer's record before its operation ends: a
 * process that dies in between leaves an operation without an entry in `jobs`, which ends as the history says.
 */
export class InstallerExecutor implements OperationExecutor {
  readonly #options: InstallerExecutorOptions;

  constructor(options: InstallerExecutorOptions) {
    this.#options = options;
  }

  async run(context: OperationContext): Promise<Outcome> {
    const { records } = this.#options;
    const { operation } = context;
    const { record } = await records.read();
    const job = record.jobs.find((each) => each.operationId === operation.id);
    if (job === undefined) {
      return this.#asRecorded(operation, record);
    }
    try {
      return await this.#runJob(context, job);
    } catch (error) {
      throw failureOf(error, context);
    }
  }

  async conclude(operation: Operation, outcome: OperationOutcome, context: OperationContext): Promise<Ending> {
    const { records, clock, metrics } = this.#options;
    const { record } = await records.read();
    const job = record.jobs.find((each) => each.operationId === operation.id);
    if (job === undefined) {
      return this.#ending(operation, entryOf(record, operation.id) ?? wantedBy(operation), outcome.state);
    }
    const error = outcome.error?.message ?? "The job failed.";
    const version = job.operation === "uninstall" ? record.current?.version : undefined;
    const end: JobEnd = { state: outcome.state === "Canceled" ? "canceled" : "failed", error, version };
    context.log.warn(`${job.operation} failed`, {
      product: job.product,
      terraformVersion: job.version,
      error: outcome.error,
    });
    const hasBegun = job.startedAt !== undefined;
    const health = hasBegun ? await this.#restore(context, record) : record.health;
    const isEnded = await records.update((found) => {
      const isThere = found.jobs.some((each) => each.operationId === operation.id);
      if (!isThere) {
        return { result: false };
      }
      const next = { ...ended(found, job, end, clock.now().toISOString()), health };
      return {
        result: true,
        record: hasBegun ? { ...next, state: restingState(next) } : next,
        change: { also: [jobRemoval(operation.id)] },
      };
    }, context);
    if (isEnded) {
      metrics.recordEnd(job, end, clock.now());
    }
    return this.#ending(operation, entryOf((await records.read()).record, operation.id) ?? job, outcome.state);
  }

  async #runJob(context: OperationContext, job: Job): Promise<Outcome> {
    const { operation } = context;
    if (job.operation === "install") {
      const binary = await runInstall(context, job, this.#options);
      await this.#measure(job);
      return { kind: "done", ending: this.#ending(operation, binary, "Succeeded") };
    }
    const result = await runUninstall(context, job, this.#options);
    if (result.kind === "pause") {
      return result.outcome;
    }
    await this.#measure(job);
    return { kind: "done", ending: this.#ending(operation, result.binary, "Succeeded") };
  }

  /** With the time of its turn, which the entry had not when the attempt began. */
  async #measure(job: Job): Promise<void> {
    const { records, metrics, clock } = this.#options;
    const startedAt = entryOf((await records.read()).record, job.operationId)?.startedAt ?? job.startedAt;
    metrics.recordEnd({ ...job, startedAt }, { state: "succeeded" }, clock.now());
  }

  /** An attempt before this one stored the end, and died before it could end the operation. */
  #asRecorded(operation: Operation, record: InstallerRecord): Outcome {
    const entry = entryOf(record, operation.id);
    if (entry === undefined || entry.state === "succeeded") {
      return { kind: "done", ending: this.#ending(operation, entry ?? wantedBy(operation), "Succeeded") };
    }
    throw new ApiError("TerraformInstallerFailed", entry.error ?? "The job failed.");
  }

  /** Makes the links agree with the record again. @returns how the binary is that the record calls active */
  async #restore(context: OperationContext, record: InstallerRecord): Promise<InstallerRecord["health"]> {
    const { volume, health } = this.#options;
    const { current, state } = record;
    const isDoubtful = state === "uninstalling" || usableBinary(record) === undefined;
    try {
      if (current === undefined) {
        await volume.deactivate();
        return undefined;
      }
      const found = isDoubtful ? await health.check(current) : record.health;
      if (found === "healthy") {
        const active = await volume.current();
        if (active?.product !== current.product || active.version !== current.version) {
          await volume.activate(current);
        }
      }
      return found;
    } catch (error) {
      context.log.error("the links to the active binary could not be restored", { error });
      return current === undefined ? undefined : await health.check(current);
    }
  }

  #ending(operation: Operation, about: Named, result: string): Ending {
    return { audit: [jobOutcome(operation, about, result, this.#options.clock)] };
  }
}

interface Named {
  readonly product: Product;
  readonly version?: string | null | undefined;
}

function entryOf(record: InstallerRecord, operationId: string): HistoryEntry | undefined {
  return record.history.find((entry) => entry.operationId === operationId);
}

/** By the operation's input, when the history has forgotten it. */
function wantedBy({ input }: Operation): Named {
  return input as unknown as Named;
}

/**
 * What ends the job: a job that fails by itself is not repeated. A store that is away and a worker that has to stop are
 * no failures of the job.
 */
function failureOf(error: unknown, { log, signal }: OperationContext): unknown {
  if (error instanceof ApiError || error instanceof StoreError || error instanceof OperationStopped || signal.aborted) {
    return error;
  }
  if (error instanceof InstallError) {
    const details: ErrorDetail[] = [{ code: error.code, message: error.message }];
    return new ApiError("TerraformInstallerFailed", error.message, { details, cause: error });
  }
  log.error("a job failed unexpectedly", { error });
  const message = "The job failed unexpectedly; the server's log has the cause.";
  return new ApiError("Internal", message, { cause: error });
}
