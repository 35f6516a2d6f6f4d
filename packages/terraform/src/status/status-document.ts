import type { JsonObject } from "@rad/core";
import type { JobProgress } from "./job-document.ts";
import type { InstallerRecord, Job } from "./installer-record.ts";

export interface StatusParts {
  readonly record: InstallerRecord;
  /** Of the job that runs. */
  readonly progress: JobProgress;
  /** Executions that use Terraform now. */
  readonly executions: number;
}

/** The status as the API answers it. Members that the seed names keep its names and order; ours come after them. */
export function statusDocument({ record, progress, executions }: StatusParts): JsonObject {
  const { state, current, health, previous, jobs, history } = record;
  const shown = health === "healthy" ? current : undefined;
  const running = runningJob(record);
  return {
    currentVersion: shown?.version ?? null,
    product: shown?.product ?? null,
    state,
    binaryPath: shown?.path ?? null,
    installedAt: shown === undefined ? null : fullSeconds(shown.installedAt),
    source: shown === undefined ? null : { url: shown.source.url, checksum: `sha256:${shown.source.checksum}` },
    queue: {
      pending: jobs.length - (running === undefined ? 0 : 1),
      inProgress: running === undefined ? null : inProgress(running, progress),
    },
    history: history.map((entry) => ({
      ...entry,
      startedAt: fullSeconds(entry.startedAt),
      completedAt: entry.completedAt === null ? null : fullSeconds(entry.completedAt),
    })),
    health: health ?? null,
    verified: shown?.verified ?? null,
    sha256: shown?.sha256 ?? null,
    size: shown?.size ?? null,
    previous: previous === undefined ? null : { product: previous.product, version: previous.version },
    executions,
    operationId: running?.operationId ?? history[0]?.operationId ?? null,
    lastError: record.lastError ?? null,
    lastUpdated: history.length === 0 && jobs.length === 0 ? null : fullSeconds(record.lastUpdated),
  };
}

/** The first job, once it has begun. */
export function runningJob({ jobs }: InstallerRecord): Job | undefined {
  return jobs.find(({ startedAt }) => startedAt !== undefined);
}

/** RFC 3339 in UTC, without fractions of a second. */
export function fullSeconds(time: string): string {
  return time.replace(/\.\d+Z$/u, "Z");
}

function inProgress(job: Job, { step, bytes, totalBytes }: JobProgress): JsonObject {
  const { operation, product, version = null, startedAt = "", operationId } = job;
  return {
    operation,
    product,
    version,
    startedAt: fullSeconds(startedAt),
    operationId,
    step: step ?? null,
    bytes: bytes ?? null,
    totalBytes: totalBytes ?? null,
  };
}
