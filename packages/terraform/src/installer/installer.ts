import { ApiError, type Clock, type JsonObject, type JsonValue, type Logger, ResourceId } from "@rad/core";
import { newOperation, recordRefusal, type ResourceRequest, userDefinedPolicy } from "@rad/resources";
import type { NewOperation, Store } from "@rad/store";
import { InstallError } from "../install-error.ts";
import { type ExecutionLeases, inProgressText } from "../leases/execution-leases.ts";
import { type Product, productNames } from "../product.ts";
import { type InstallerRecord, type Job, type JobKind, usableBinary } from "../status/installer-record.ts";
import { type Decision, type InstallerRecords, storedVersion } from "../status/installer-records.ts";
import { fullSeconds } from "../status/status-document.ts";
import type { BinaryVolume, InstalledBinary, InstallOrder } from "../volume/binary-volume.ts";
import type { BinaryHealth } from "./binary-health.ts";
import { readInstallRequest, readUninstallRequest, secretsIn, shownUrl } from "./install-request.ts";
import { installerId, jobIntent } from "./installer-audit.ts";
import { newJobDocument } from "../status/job-document.ts";

export const installerQueue = "terraform-installer";

/** Who asks, with what the installer needs of the request. */
export type InstallerRequest = Pick<
  ResourceRequest,
  "caller" | "correlationId" | "apiVersion" | "traceparent" | "hide" | "signal"
>;

export interface InstallerAnswer {
  readonly status: 200 | 202;
  readonly body: JsonObject;
}

export interface InstallerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly volume: BinaryVolume;
  readonly records: InstallerRecords;
  readonly leases: ExecutionLeases;
  readonly health: BinaryHealth;
  /** How long one job may run. */
  readonly timeoutMs: number;
  readonly drainMs: number;
}

/** How an install request ends, other than by a refusal. */
type Accepted =
  | { readonly kind: "job"; readonly job: Job; readonly ahead: number; readonly isJoined?: true }
  | { readonly kind: "ready"; readonly binary: InstalledBinary }
  /** Whether the request is satisfied already depends on the health of this binary. */
  | { readonly kind: "check"; readonly binary: InstalledBinary }
  | { readonly kind: "refused"; readonly error: ApiError };

type AcceptedJob = Extract<Accepted, { kind: "job" }>;

/** For what is no work of the jobs: processes that restart, a database that is away. */
const slackMs = 10 * 60_000;

const unverifiedText =
  "The archive is installed without verification: the request names a URL and no checksum. Give its SHA-256 to have it checked.";

/**
 * Accepts requests. The job's entry in the installer's record, its operation, its sealed order and the audit record are
 * one transaction on the condition that the record is the one that the decision was made on, so all processes agree on
 * the order of jobs, and on which of them a request joins.
 */
export class Installer {
  readonly #options: InstallerOptions;

  constructor(options: InstallerOptions) {
    this.#options = options;
  }

  /** @throws ApiError */
  async install(request: InstallerRequest, body: JsonValue | undefined): Promise<InstallerAnswer> {
    const asked = readInstallRequest(body);
    request.hide(secretsIn(asked.url));
    const order = await this.#resolve(asked, request);
    let checked: { readonly binary: InstalledBinary; readonly isHealthy: boolean } | undefined;
    for (;;) {
      const known = checked;
      const accepted = await this.#options.records.update((record) =>
        this.#decideInstall(record, order, request, known),
      );
      switch (accepted.kind) {
        case "check": {
          const { binary } = accepted;
          const health = await this.#options.health.check(binary);
          await this.#options.health.store(binary, health);
          checked = { binary, isHealthy: health === "healthy" };
          break;
        }
        case "ready":
          return readyAnswer(accepted.binary);
        case "refused":
          throw await this.#refuse(request, "install", order, accepted.error);
        case "job":
          return this.#jobAnswer(accepted, order);
        default:
          return accepted satisfies never;
      }
    }
  }

  /** @throws ApiError */
  async uninstall(request: InstallerRequest, body: JsonValue | undefined): Promise<InstallerAnswer> {
    readUninstallRequest(body);
    const { length: executions } = await this.#options.leases.live();
    const accepted = await this.#options.records.update((record) => this.#decideUninstall(record, request, executions));
    switch (accepted.kind) {
      case "job":
        return this.#jobAnswer(accepted);
      case "refused":
        throw await this.#refuse(request, "uninstall", accepted.wanted, accepted.error);
      default:
        return accepted satisfies never;
    }
  }

  /** Names the version as far as it can be known before the archive is there. */
  async #resolve(order: InstallOrder, request: InstallerRequest): Promise<InstallOrder> {
    if (order.version !== undefined) {
      return order;
    }
    try {
      return await this.#options.volume.resolve(order, { signal: request.signal() });
    } catch (error) {
      if (!(error instanceof InstallError)) {
        throw error;
      }
      const hint = "The newest release cannot be found: ";
      const isFinal = error.code === "DownloadRefused" || error.code === "NotPublished";
      const refusal = new ApiError(isFinal ? "BadRequest" : "ServiceUnavailable", `${hint}${error.message}`, {
        cause: error,
      });
      throw await this.#refuse(request, "install", order, refusal);
    }
  }

  #decideInstall(
    record: InstallerRecord,
    order: InstallOrder,
    request: InstallerRequest,
    checked: { readonly binary: InstalledBinary; readonly isHealthy: boolean } | undefined,
  ): Decision<Accepted> {
    const { clock } = this.#options;
    const { jobs } = record;
    const intent = jobIntent(request, "install", order, clock);
    const last = jobs.at(-1);
    if (last !== undefined && isSameInstall(last, order) && isSameSource(last, order)) {
      const change = { audit: [{ ...intent, operationId: last.operationId }] };
      return { result: { kind: "job", job: last, ahead: jobs.length - 1, isJoined: true }, change };
    }
    if (jobs.some((job) => isSameInstall(job, order) && !isSameSource(job, order))) {
      return { result: { kind: "refused", error: new ApiError("Conflict", inProgressText) } };
    }
    const active = usableBinary(record);
    if (jobs.length === 0 && active !== undefined && isSatisfiedBy(active, order)) {
      if (checked?.binary.sha256 !== active.sha256) {
        return { result: { kind: "check", binary: active } };
      }
      if (checked.isHealthy) {
        const outcome = { ...intent, phase: "outcome", status: 200, result: "Succeeded" } as const;
        return { result: { kind: "ready", binary: active }, change: { audit: [intent, outcome] } };
      }
    }
    const { product, version, checksum } = order;
    return this.#addJob(record, request, {
      operation: "install",
      product,
      version,
      url: shownUrl(order.url),
      checksum,
      order,
    });
  }

  #decideUninstall(
    record: InstallerRecord,
    request: InstallerRequest,
    executions: number,
  ): Decision<AcceptedJob | { readonly kind: "refused"; readonly error: ApiError; readonly wanted: Wanted }> {
    const { clock } = this.#options;
    const { jobs } = record;
    const last = jobs.at(-1);
    const active = usableBinary(record);
    if (last === undefined && active === undefined) {
      const error = new ApiError("NotFound", "Terraform is not installed");
      return { result: { kind: "refused", error, wanted: { product: "terraform" } } };
    }
    const wanted: Wanted = {
      product: last?.product ?? active?.product ?? "terraform",
      version: last === undefined ? active?.version : last.version,
    };
    if (last?.operation === "uninstall") {
      const intent = jobIntent(request, "uninstall", wanted, clock);
      const change = { audit: [{ ...intent, operationId: last.operationId }] };
      return { result: { kind: "job", job: last, ahead: jobs.length - 1, isJoined: true }, change };
    }
    if (executions > 0) {
      const error = new ApiError("Conflict", inUseText(active?.product ?? wanted.product, executions));
      return { result: { kind: "refused", error, wanted } };
    }
    return this.#addJob(record, request, { operation: "uninstall", ...wanted });
  }

  #addJob(
    record: InstallerRecord,
    request: InstallerRequest,
    {
      order,
      ...wanted
    }: Pick<Job, "operation" | "product" | "version" | "url" | "checksum"> & {
      readonly order?: InstallOrder;
    },
  ): Decision<AcceptedJob> {
    const { clock } = this.#options;
    const ahead = record.jobs.length;
    const operation = this.#operation(request, wanted.operation, ahead);
    const job: Job = { operationId: operation.id, ...wanted, acceptedAt: clock.now().toISOString() };
    const { product, version } = wanted;
    return {
      result: { kind: "job", job, ahead },
      record: { ...record, jobs: [...record.jobs, job] },
      change: {
        also: [newJobDocument(operation.id, order)],
        operation: { ...operation, input: { product, version: version ?? null } },
        audit: [{ ...jobIntent(request, wanted.operation, wanted, clock), operationId: operation.id }],
      },
    };
  }

  /** Its own time begins with its turn (see `JobDeadline`); this one covers the jobs ahead of it and restarts, too. */
  #operation(request: InstallerRequest, kind: JobKind, ahead: number): NewOperation {
    const { timeoutMs, drainMs } = this.#options;
    return newOperation(
      {
        caller: request.caller,
        correlationId: request.correlationId,
        traceparent: request.traceparent,
        apiVersion: storedVersion,
      },
      { policy: { ...userDefinedPolicy, queue: installerQueue } },
      { id: ResourceId.parse(installerId), kind, timeoutMs: (timeoutMs + drainMs) * (ahead + 1) + slackMs },
    );
  }

  async #refuse(request: InstallerRequest, operation: JobKind, wanted: Wanted, error: ApiError): Promise<ApiError> {
    const { store, clock } = this.#options;
    return await recordRefusal(store.audit, jobIntent(request, operation, wanted, clock), error);
  }

  #jobAnswer({ job, ahead, isJoined }: AcceptedJob, order?: InstallOrder): InstallerAnswer {
    const { operation, product, version = null, operationId } = job;
    const isUnverified = order?.url !== undefined && order.checksum === undefined;
    if (isUnverified) {
      this.#options.log.warn("an archive will be installed without verification", { product, version, operationId });
    }
    const body = {
      operation,
      product,
      version,
      status: ahead === 0 ? "started" : "queued",
      operationId,
      ahead,
      ...(isJoined === true ? { joined: true } : {}),
      ...(isUnverified ? { warning: unverifiedText } : {}),
    };
    return { status: 202, body };
  }
}

interface Wanted {
  readonly product: Product;
  readonly version?: string | undefined;
}

/** What an uninstall is refused with while executions run. */
export function inUseText(product: Product, executions: number): string {
  return `${productNames[product]} is in use by ${executions} active executions. Retry after executions complete.`;
}

function readyAnswer({ product, version, installedAt }: InstalledBinary): InstallerAnswer {
  const body = { operation: "install", product, version, status: "ready", installedAt: fullSeconds(installedAt) };
  return { status: 200, body };
}

/** An install of the same version, or of the same URL where nobody knows the version. */
function isSameInstall(job: Job, order: InstallOrder): boolean {
  if (job.operation !== "install" || job.product !== order.product || job.version !== order.version) {
    return false;
  }
  return job.version !== undefined || job.url === shownUrl(order.url);
}

/** What a request leaves open may be as it is in the job. */
function isSameSource(job: Job, { url, checksum }: InstallOrder): boolean {
  return (url === undefined || shownUrl(url) === job.url) && (checksum === undefined || checksum === job.checksum);
}

function isSatisfiedBy(binary: InstalledBinary, order: InstallOrder): boolean {
  return order.product === binary.product && order.version === binary.version && hasContent(binary, order);
}

/** Whether a binary is from the archive that an order names: by its checksum, or else by its URL. */
export function hasContent({ source }: InstalledBinary, { url, checksum }: InstallOrder): boolean {
  return checksum === undefined ? url === undefined || shownUrl(url) === source.url : checksum === source.checksum;
}
