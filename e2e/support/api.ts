import { createClient, registerManifest } from "@rad/client";
import type { Client } from "@rad/client";
import { isTerminal, type JsonObject, type JsonValue } from "@rad/core";
import { until } from "@rad/core/testing";

export const group = "/planes/radius/local/resourceGroups/test";
export const apiVersion = "2025-01-01";

export interface Server {
  readonly url: string;
  readonly token: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly body: JsonValue | undefined;
  /** The operation that the answer announces. */
  readonly operationId: string | undefined;
}

export function clientOf(server: Server): Client {
  return createClient({ endpoint: server.url, token: server.token });
}

/** Registers a type with the given properties, beside whatever its namespace has already. */
export async function registerType(server: Server, type: string, properties: JsonObject): Promise<void> {
  const [namespace = "", name = ""] = type.split("/");
  await registerManifest(clientOf(server), {
    namespace,
    location: { name: "global" },
    types: [{ name, capabilities: [], apiVersions: [{ name: apiVersion, schema: { type: "object", properties } }] }],
  });
}

/** One request without retries or waiting, as a test that counts requests needs it. */
export async function request(
  server: Server,
  method: string,
  path: string,
  body?: JsonValue,
  signal?: AbortSignal,
  version: string = apiVersion,
): Promise<RawAnswer> {
  const response = await fetch(`${server.url}${path}?api-version=${version}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const link = response.headers.get("azure-asyncoperation");
  return {
    status: response.status,
    body: text === "" ? undefined : (JSON.parse(text) as JsonValue),
    operationId: link === null ? undefined : new URL(link).pathname.split("/").at(-1),
  };
}

export interface OperationStatus {
  readonly status: string;
  readonly error?: { readonly code: string };
}

/** Waits until the operation has ended, and returns how. */
export async function operationEnd(
  server: Server,
  namespace: string,
  operationId: string,
  timeoutMs = 60_000,
): Promise<OperationStatus> {
  const path = `/planes/radius/local/providers/${namespace}/locations/global/operationStatuses/${operationId}`;
  let state = "";
  return await until(
    () => `operation ${operationId} has ended; it is ${state}`,
    async () => {
      const { status, body } = await request(server, "GET", path);
      if (status !== 200) {
        throw new Error(`operation ${operationId} answers ${status}: ${JSON.stringify(body)}`);
      }
      const operation = body as unknown as OperationStatus;
      state = operation.status;
      return isTerminal(state) && operation;
    },
    { timeoutMs },
  );
}

export interface AuditLine {
  readonly sequence: number;
  readonly phase: "intent" | "outcome" | "refusal";
  readonly action: string;
  readonly target: string;
  readonly correlationId: string;
  readonly operationId?: string;
  readonly intentId?: string;
  readonly status?: number;
  readonly result?: string;
}

/** The audit log, as it is exported. */
export async function auditLines(server: Server): Promise<readonly AuditLine[]> {
  const response = await fetch(`${server.url}/audit`, { headers: { authorization: `Bearer ${server.token}` } });
  const text = await response.text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as AuditLine);
}
