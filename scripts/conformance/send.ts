import { setTimeout as sleep } from "node:timers/promises";
import type { JsonValue } from "@rad/core";
import type { Step } from "./plan.ts";
import type { Answer } from "./response-validator.ts";

export interface Target {
  readonly url: string;
  readonly token: string;
}

/** Sends one request and, where it started an operation, waits until that has ended well. */
export async function send(target: Target, step: Step): Promise<Answer> {
  const query = step.query.size === 0 ? "" : `?${step.query.toString()}`;
  const response = await fetch(`${target.url}${step.path}${query}`, {
    method: step.operation.method.toUpperCase(),
    headers: { ...authorization(target), ...(step.body === undefined ? {} : { "content-type": "application/json" }) },
    ...(step.body === undefined ? {} : { body: JSON.stringify(step.body) }),
    redirect: "error",
  });
  const answer = { status: response.status, headers: response.headers, body: parse(await response.text()) };
  const operation = response.headers.get("azure-asyncoperation");
  if (response.ok && operation !== null) {
    await ended(target, operation);
  }
  return answer;
}

/** @param path of a resource group */
export async function putGroup(target: Target, path: string): Promise<void> {
  const response = await fetch(`${target.url}${path}?api-version=2023-10-01-preview`, {
    method: "PUT",
    headers: { ...authorization(target), "content-type": "application/json" },
    body: JSON.stringify({ location: "global", properties: {} }),
  });
  if (!response.ok) {
    throw new Error(`the group ${path} could not be made: ${response.status} ${await response.text()}`);
  }
}

async function ended(target: Target, operation: string): Promise<void> {
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 1000)) {
    const response = await fetch(operation, { headers: authorization(target) });
    const { status } = (await response.json()) as { status?: string };
    if (status === "Succeeded") {
      return;
    }
    if (!response.ok || status === "Failed" || status === "Canceled") {
      throw new Error(`the operation at ${operation} ended as ${status ?? response.status}`);
    }
    await sleep(waitMs);
  }
}

function authorization(target: Target): Record<string, string> {
  return { authorization: `Bearer ${target.token}` };
}

function parse(text: string): JsonValue | undefined {
  return text === "" ? undefined : (JSON.parse(text) as JsonValue);
}
