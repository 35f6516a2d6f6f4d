import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
import { ClientError } from "./client-error.ts";
import type { WireResponse } from "./transport.ts";

export type TerraformProduct = "terraform" | "opentofu";

/** What to install; without version and URL the newest release. */
export interface InstallRequest {
  readonly product?: TerraformProduct;
  readonly version?: string;
  readonly source?: {
    readonly url?: string;
    /** SHA-256 in hexadecimal digits, `sha256:` before it or not. */
    readonly checksum?: string;
    /** Certificates in PEM form. */
    readonly caBundle?: string;
  };
}

/** What an install or uninstall was answered. */
export interface InstallerAnswer {
  /** As the control plane sent it. */
  readonly body: JsonObject;
  readonly product: TerraformProduct;
  /** Absent where it will be known only when the job runs. */
  readonly version: string | undefined;
  /** `ready`: nothing is left to do. */
  readonly status: "started" | "queued" | "ready";
  /** Of the job; absent when nothing is left to do. */
  readonly operationId: string | undefined;
  /** How many jobs run before this one. */
  readonly ahead: number;
  /** The job of an earlier request for the same stands for this one, too. */
  readonly isJoined: boolean;
  /** Of what is there already. */
  readonly installedAt: string | undefined;
  readonly warnings: readonly string[];
}

/** A job of the installer that runs or has ended. */
export interface InstallerJob {
  readonly operationId: string | undefined;
  readonly operation: string;
  readonly product: TerraformProduct;
  readonly version: string | undefined;
  readonly startedAt: string | undefined;
}

export interface RunningInstallerJob extends InstallerJob {
  /** `download`, `unpack`, …; absent before the first one. */
  readonly step: string | undefined;
  /** Of the archive, during the download. */
  readonly bytes: number | undefined;
  readonly totalBytes: number | undefined;
}

export interface EndedInstallerJob extends InstallerJob {
  /** `running` until it has ended. */
  readonly state: string;
  readonly completedAt: string | undefined;
  /** Why it failed. */
  readonly error: string | undefined;
}

export interface InstallerStatus {
  /** As the control plane sent it. */
  readonly body: JsonObject;
  readonly state: string;
  /** Of the active binary. */
  readonly product: TerraformProduct;
  readonly currentVersion: string | undefined;
  readonly installedAt: string | undefined;
  /** Whether the active binary was last seen `healthy`, `missing` or `damaged`. */
  readonly health: string | undefined;
  readonly lastError: string | undefined;
  readonly lastUpdated: string | undefined;
  readonly pending: number;
  readonly inProgress: RunningInstallerJob | undefined;
  /** Newest first. */
  readonly history: readonly EndedInstallerJob[];
}

/** One line of a preflight. */
export interface PreflightCheck {
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  readonly message: string;
  readonly durationMs: number;
}

/** Whether recipes of an environment would find everything that they need. */
export interface Preflight {
  /** As the control plane sent it. */
  readonly body: JsonObject;
  readonly isValid: boolean;
  readonly checks: readonly PreflightCheck[];
}

/** @throws ClientError `UnexpectedResponse` */
export function toPreflight({ body }: WireResponse): Preflight {
  if (!isJsonObject(body) || typeof body["valid"] !== "boolean" || !Array.isArray(body["checks"])) {
    throw new ClientError("UnexpectedResponse", "The control plane's answer is not the result of a preflight.");
  }
  const checks = body["checks"].filter(isJsonObject).map((check) => ({
    name: text(check["name"]) ?? "",
    status: statusOf(check),
    message: text(check["message"]) ?? "",
    durationMs: count(check["durationMs"]),
  }));
  return { body, isValid: body["valid"], checks };
}

/** What is not known counts as failed. */
function statusOf({ status }: JsonObject): PreflightCheck["status"] {
  return status === "passed" || status === "skipped" ? status : "failed";
}

/** @throws ClientError `UnexpectedResponse` */
export function toInstallerAnswer({ body, warnings }: WireResponse): InstallerAnswer {
  const status = isJsonObject(body) ? body["status"] : undefined;
  if (!isJsonObject(body) || (status !== "started" && status !== "queued" && status !== "ready")) {
    throw new ClientError("UnexpectedResponse", "The control plane's answer is not one of an installer.");
  }
  const operationId = text(body["operationId"]);
  if (operationId === undefined && status !== "ready") {
    throw new ClientError("UnexpectedResponse", "The control plane's installer accepted a job without an operationId.");
  }
  return {
    body,
    product: productOf(body),
    version: text(body["version"]),
    status,
    operationId,
    ahead: count(body["ahead"]),
    isJoined: body["joined"] === true,
    installedAt: text(body["installedAt"]),
    warnings: [...warnings, ...[text(body["warning"])].filter((warning) => warning !== undefined)],
  };
}

/** @throws ClientError `UnexpectedResponse` */
export function toInstallerStatus({ body }: WireResponse): InstallerStatus {
  if (!isJsonObject(body) || typeof body["state"] !== "string") {
    throw new ClientError("UnexpectedResponse", "The control plane's answer is not the status of an installer.");
  }
  const queue = objectMember(body, "queue");
  const { inProgress } = queue;
  const { history } = body;
  return {
    body,
    state: body["state"],
    product: productOf(body),
    currentVersion: text(body["currentVersion"]),
    installedAt: text(body["installedAt"]),
    health: text(body["health"]),
    lastError: text(body["lastError"]),
    lastUpdated: text(body["lastUpdated"]),
    pending: count(queue["pending"]),
    inProgress: isJsonObject(inProgress) ? toRunningJob(inProgress) : undefined,
    history: (Array.isArray(history) ? history : []).filter(isJsonObject).map(toEndedJob),
  };
}

function toEndedJob(job: JsonObject): EndedInstallerJob {
  return {
    ...toJob(job),
    state: text(job["state"]) ?? "",
    completedAt: text(job["completedAt"]),
    error: text(job["error"]),
  };
}

function toJob(job: JsonObject): InstallerJob {
  return {
    operationId: text(job["operationId"]),
    operation: text(job["operation"]) ?? "",
    product: productOf(job),
    version: text(job["version"]),
    startedAt: text(job["startedAt"]),
  };
}

function toRunningJob(job: JsonObject): RunningInstallerJob {
  return {
    ...toJob(job),
    step: text(job["step"]),
    bytes: size(job["bytes"]),
    totalBytes: size(job["totalBytes"]),
  };
}

function productOf({ product }: JsonObject): TerraformProduct {
  return product === "opentofu" ? "opentofu" : "terraform";
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function size(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}

function count(value: JsonValue | undefined): number {
  return size(value) ?? 0;
}
