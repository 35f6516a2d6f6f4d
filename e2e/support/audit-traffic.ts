import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@rad/core";
import { radiusResource, radiusTemplate } from "@rad/control-plane/testing";
import { apiVersion } from "./api.ts";
import { effectType, steeredType } from "./handlers.ts";

/** A request with its own correlation id, and the status it was answered with, if it was. */
export interface Sent {
  readonly correlationId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
}

export interface TrafficOptions {
  /** The URL of a server, which may be dead by now. */
  readonly server: () => string;
  readonly token: string;
  readonly readerToken: string;
  readonly random: () => number;
  /** Tells the clients of a run apart. */
  readonly name: string;
  readonly stop: AbortSignal;
  /** Called with each answer. */
  readonly onAnswer: () => void;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject | string;
  readonly token?: string;
}

const plane = "/planes/radius/local/resourceGroups";
const systemVersion = "2023-10-01-preview";
const deploymentsVersion = "2020-10-01";

/** One client that changes, and is refused, at random until it is told to stop. Resolves to what it has sent. */
export async function sendTraffic(options: TrafficOptions): Promise<readonly Sent[]> {
  const { stop, name } = options;
  const sent: Sent[] = [];
  while (!stop.aborted) {
    const { method, path, body, token = options.token } = nextRequest(options);
    const correlationId = `${name}-${sent.length}`;
    const status = await statusOf(`${options.server()}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "x-ms-correlation-request-id": correlationId,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    sent.push({ correlationId, method, path, status });
    if (status !== undefined) {
      options.onAnswer();
    }
    await sleep(status === undefined ? 50 : 0);
  }
  return sent;
}

/** Without a whole answer the outcome is unknown. */
async function statusOf(url: string, request: RequestInit): Promise<number | undefined> {
  try {
    const response = await fetch(url, request);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

function nextRequest({ random, name, readerToken }: TrafficOptions): Request {
  const pick = (count: number): number => Math.floor(random() * count);
  const client = name.split("-")[0] ?? "";
  const group = `${plane}/${client}-${pick(2)}`;
  const shared = `${plane}/shared`;
  const at = (scope: string, type: string, rest = ""): string =>
    `${scope}/providers/${type}/n${pick(3)}${rest}?api-version=${apiVersion}`;
  const deployment = (rest = ""): string =>
    `${pick(2) === 0 ? group : shared}/providers/Microsoft.Resources/deployments/${client}${pick(2)}${rest}` +
    `?api-version=${deploymentsVersion}`;
  const work = { properties: { workMs: pick(20) } };
  const requests: readonly (() => Request)[] = [
    () => ({ method: "PUT", path: at(shared, steeredType), body: work }),
    () => ({ method: "PATCH", path: at(shared, effectType), body: work }),
    () => ({ method: "DELETE", path: at(shared, steeredType) }),
    () => ({ method: "PUT", path: at(shared, effectType), body: work }),
    () => ({ method: "PUT", path: at(shared, effectType), body: { properties: { workMs: 2, fails: true } } }),
    () => ({ method: "DELETE", path: at(shared, effectType) }),
    () => ({ method: "POST", path: at(shared, effectType, "/poke") }),
    () => ({ method: "PUT", path: `${group}?api-version=${systemVersion}`, body: { location: "global" } }),
    () => ({ method: "DELETE", path: `${group}?api-version=${systemVersion}` }),
    () => ({ method: "PUT", path: deployment(), body: deploymentOf(pick(20)) }),
    () => ({ method: "PUT", path: deployment(), body: deploymentOf() }),
    () => ({ method: "POST", path: deployment("/cancel") }),
    () => ({ method: "DELETE", path: deployment() }),
    // Refused, whatever is there.
    () => ({ method: "PUT", path: at(shared, steeredType), body: work, token: "nobody" }),
    () => ({ method: "GET", path: at(shared, steeredType), token: "nobody" }),
    () => ({ method: "PUT", path: at(shared, steeredType), body: work, token: readerToken }),
    () => ({ method: "DELETE", path: `${group}?api-version=${systemVersion}`, token: readerToken }),
    () => ({ method: "PUT", path: at(`${plane}/absent`, steeredType), body: work }),
    () => ({ method: "PUT", path: at(shared, "Test.Absent/things"), body: work }),
    () => ({ method: "PUT", path: at(shared, steeredType), body: { properties: { workMs: "long" } } }),
    () => ({ method: "PUT", path: at(shared, steeredType), body: "{" }),
  ];
  return requests[pick(requests.length)]?.() ?? { method: "GET", path: "/" };
}

/** One with a resource, which it may have to wait for, or one that ends at once. */
function deploymentOf(workMs?: number): JsonObject {
  const resources: JsonObject =
    workMs === undefined
      ? {}
      : { thing: radiusResource(`${steeredType}@${apiVersion}`, `deployed${workMs % 3}`, { properties: { workMs } }) };
  return { properties: { template: radiusTemplate({ resources, outputs: { n: { type: "int", value: 1 } } }) } };
}
