import type { JsonObject } from "@rad/core";
import type { Product } from "../product.ts";
import type { InstalledBinary } from "../volume/binary-volume.ts";
import type { InstallerState } from "./installer-state.ts";

export type JobKind = "install" | "uninstall";
export type Health = "healthy" | "missing" | "damaged";

/** A job that has not ended. */
export interface Job {
  readonly operationId: string;
  readonly operation: JobKind;
  readonly product: Product;
  /** Absent while nobody can know it: the binary at a URL says it, an uninstall takes what it finds. */
  readonly version?: string | undefined;
  /** The URL without its secrets, and the checksum, as far as they were given. */
  readonly url?: string | undefined;
  readonly checksum?: string | undefined;
  readonly acceptedAt: string;
  /** Absent while it waits. */
  readonly startedAt?: string | undefined;
}

export interface HistoryEntry {
  readonly operationId: string;
  readonly operation: JobKind;
  readonly product: Product;
  readonly version: string | null;
  readonly state: "running" | "succeeded" | "failed" | "canceled";
  readonly startedAt: string;
  readonly completedAt: string | null;
  readonly error?: string;
}

/**
 * All that is known of the installer, in one document of the store. `jobs` mirrors the queue, in order of submission:
 * accepting a job adds it in the transaction that stores its operation, so the first one is the one that runs or is next.
 */
export interface InstallerRecord {
  readonly state: InstallerState;
  readonly current?: InstalledBinary | undefined;
  readonly previous?: Pick<InstalledBinary, "product" | "version"> | undefined;
  /** As it was last seen; absent without `current`. */
  readonly health?: Health | undefined;
  readonly jobs: readonly Job[];
  /** Newest first. */
  readonly history: readonly HistoryEntry[];
  /** Why the last job failed; absent when it succeeded. */
  readonly lastError?: string | undefined;
  readonly lastUpdated: string;
}

const maxHistory = 50;

export const emptyRecord: InstallerRecord = {
  state: "not-installed",
  jobs: [],
  history: [],
  lastUpdated: new Date(0).toISOString(),
};

/** The binary that executions may use. */
export function usableBinary({ current, health }: InstallerRecord): InstalledBinary | undefined {
  return health === "healthy" ? current : undefined;
}

/** A job has begun, so that files and record may differ for a moment. */
export function isBusy({ jobs }: InstallerRecord): boolean {
  return jobs.some(({ startedAt }) => startedAt !== undefined);
}

/** The state without a job at work. */
export function restingState(record: InstallerRecord): InstallerState {
  return usableBinary(record) === undefined ? "failed" : "ready";
}

/** The job has its turn. Repeatable. */
export function started(record: InstallerRecord, job: Job, state: InstallerState, now: string): InstallerRecord {
  const { operationId, operation, product, version = null } = job;
  const isKnown = record.history.some((entry) => entry.operationId === operationId);
  const entry: HistoryEntry = {
    operationId,
    operation,
    product,
    version,
    state: "running",
    startedAt: now,
    completedAt: null,
  };
  return {
    ...record,
    state,
    jobs: record.jobs.map((each) =>
      each.operationId === operationId
        ? { ...each, product, version: job.version, startedAt: each.startedAt ?? now }
        : each,
    ),
    history: isKnown ? record.history : [entry, ...record.history].slice(0, maxHistory),
  };
}

export interface JobEnd {
  readonly state: "succeeded" | "failed" | "canceled";
  readonly error?: string | undefined;
  /** As far as it became known. */
  readonly version?: string | undefined;
}

/** The job has ended: out of the queue, and in the history. Repeatable. */
export function ended(record: InstallerRecord, job: Job, end: JobEnd, now: string): InstallerRecord {
  const { operationId } = job;
  const known = record.history.find((entry) => entry.operationId === operationId);
  const entry: HistoryEntry = {
    operationId,
    operation: job.operation,
    product: job.product,
    version: end.version ?? known?.version ?? job.version ?? null,
    state: end.state,
    startedAt: known?.startedAt ?? job.startedAt ?? now,
    completedAt: now,
    ...(end.error === undefined ? {} : { error: end.error }),
  };
  const others = record.history.filter((each) => each !== known);
  const { lastError: _, ...rest } = record;
  return {
    ...rest,
    ...(end.error === undefined ? {} : { lastError: end.error }),
    jobs: record.jobs.filter((each) => each.operationId !== operationId),
    history: [entry, ...others].slice(0, maxHistory),
  };
}

export function recordToJson(record: InstallerRecord): JsonObject {
  return record as unknown as JsonObject;
}

/** @param json what `recordToJson` made */
export function recordFromJson(json: JsonObject): InstallerRecord {
  return json as unknown as InstallerRecord;
}
