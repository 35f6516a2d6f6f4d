import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "../load/connection.ts";
import { benchTemplate } from "./bench-template.ts";
import type { TemplateForm } from "./bench-template.ts";

export interface DeployJob {
  readonly url: string;
  readonly token: string;
  readonly group: string;
  readonly type: string;
  readonly apiVersion: string;
  readonly count: number;
  readonly form: TemplateForm;
}

/** @returns milliseconds from the PUT of the deployment until it has succeeded */
export async function deployAll(job: DeployJob): Promise<number> {
  const connection = await Connection.open(job.url, job.token);
  const path = `/planes/radius/local/resourceGroups/${job.group}/providers/Microsoft.Resources/deployments/bench`;
  const template = benchTemplate(job.form, job.type, job.apiVersion, job.count);
  const body = JSON.stringify({ properties: { mode: "Incremental", template } });
  const target = `${path}?api-version=2020-10-01`;
  try {
    const started = performance.now();
    const reply = await connection.send("PUT", target, body);
    if (reply.status !== 201) {
      throw new Error(`status ${reply.status}: ${reply.body.slice(0, 300)}`);
    }
    await pause(job.count, true);
    while ((await stateOf(connection, target)) !== "Succeeded") {
      await pause(job.count, false);
    }
    return performance.now() - started;
  } finally {
    connection.close();
  }
}

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Asking must not cost more than what is measured. A timer takes a millisecond at least, too long for small ones. */
async function pause(count: number, isFirst: boolean): Promise<void> {
  if (count >= 50) {
    await sleep(Math.max(1, count / 200));
  } else {
    Atomics.wait(nothing, 0, 0, isFirst ? 1.2 : 0.3);
  }
}

async function stateOf(connection: Connection, target: string): Promise<string> {
  const { properties } = JSON.parse((await connection.send("GET", target)).body) as {
    properties: { provisioningState: string; error?: unknown };
  };
  if (properties.provisioningState === "Failed" || properties.provisioningState === "Canceled") {
    throw new Error(`${target} ended as ${JSON.stringify(properties.error).slice(0, 300)}`);
  }
  return properties.provisioningState;
}
