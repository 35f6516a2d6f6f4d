import { Connection } from "../load/connection.ts";
import { benchTemplate } from "./bench-template.ts";
import type { TemplateForm } from "./bench-template.ts";
import { expectSuccess, operationEnd } from "./operation-end.ts";

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
    await operationEnd(connection, expectSuccess(await connection.send("PUT", target, { body })));
    return performance.now() - started;
  } finally {
    connection.close();
  }
}
