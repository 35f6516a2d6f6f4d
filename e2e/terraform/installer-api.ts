import assert from "node:assert/strict";
import type { JsonObject } from "@rad/core";
import { until } from "@rad/core/testing";
import { request } from "../support/api.ts";
import type { Server } from "../support/api.ts";

/** What tests look at in the status document. */
export interface InstallerStatus {
  readonly currentVersion: string | null;
  readonly product: string | null;
  readonly state: string;
  readonly binaryPath: string | null;
  readonly source: { readonly url: string; readonly checksum: string } | null;
  readonly queue: { readonly pending: number; readonly inProgress: RunningJob | null };
  readonly history: readonly HistoryEntry[];
  readonly executions: number;
  readonly sha256: string | null;
}

interface RunningJob {
  readonly operationId: string;
  readonly step: string | null;
}

export interface HistoryEntry {
  readonly operationId: string;
  readonly operation: string;
  readonly product: string;
  readonly version: string | null;
  readonly state: string;
  readonly error?: string;
}

export interface InstallerReply {
  readonly status: number;
  readonly body: JsonObject;
}

/** One request, without the help of a client. */
export async function send(server: Server, method: string, path: string, body?: JsonObject): Promise<InstallerReply> {
  const response = await fetch(`${server.url}/installer/terraform/${path}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as JsonObject };
}

/** @returns the id of the operation that the request has started or joined */
export async function accepted(server: Server, action: "install" | "uninstall", body?: JsonObject): Promise<string> {
  const reply = await send(server, "POST", action, body);
  assert.equal(reply.status, 202, JSON.stringify(reply.body));
  return operationIdOf(reply);
}

export function operationIdOf({ body }: InstallerReply): string {
  const id = body["operationId"];
  assert.ok(typeof id === "string", JSON.stringify(body));
  return id;
}

export async function readStatus(server: Server): Promise<InstallerStatus> {
  const { status, body } = await send(server, "GET", "status");
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as InstallerStatus;
}

export interface JobOperation {
  readonly status: string;
  /** Names of the steps that have begun. */
  readonly steps: readonly string[];
}

/** A job as the API shows every operation. */
export async function readOperation(server: Server, id: string): Promise<JobOperation> {
  const path = `/planes/radius/local/providers/Radius.Core/locations/global/operationStatuses/${id}`;
  const { status, body } = await request(server, "GET", path, undefined, undefined, "2025-08-01-preview");
  assert.equal(status, 200, JSON.stringify(body));
  const operation = body as { status: string; properties?: { steps?: { name: string }[] } };
  const steps = operation.properties?.steps ?? [];
  return { status: operation.status, steps: steps.map(({ name }) => name) };
}

/** Waits until no job runs or waits. */
export async function settled(server: Server, timeoutMs = 180_000): Promise<InstallerStatus> {
  let last: InstallerStatus | undefined;
  return await until(
    () => `the installer has nothing to do; it says ${JSON.stringify(last?.queue)}`,
    async () => {
      last = await readStatus(server);
      return last.queue.pending === 0 && last.queue.inProgress === null && last;
    },
    { timeoutMs },
  );
}
