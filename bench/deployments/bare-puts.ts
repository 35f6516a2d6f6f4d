import { Connection } from "../load/connection.ts";
import { body } from "./bench-template.ts";
import { expectSuccess, operationEnd } from "./operation-end.ts";

export interface PutJob {
  readonly url: string;
  readonly token: string;
  readonly group: string;
  readonly type: string;
  readonly apiVersion: string;
  readonly count: number;
  /** Whether the answer comes before the work is done. */
  readonly poll: boolean;
}

/** Enough to keep the server busy all the time. */
const atOnce = 20;

/** @returns milliseconds until all of them have succeeded */
export async function putAll(job: PutJob): Promise<number> {
  const connections = await Promise.all(Array.from({ length: atOnce }, () => Connection.open(job.url, job.token)));
  const text = JSON.stringify(body);
  const collection = `/planes/radius/local/resourceGroups/${job.group}/providers/${job.type}`;
  let next = 0;
  const started = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let index = next++; index < job.count; index = next++) {
        const path = `${collection}/item-${index}?api-version=${job.apiVersion}`;
        const reply = expectSuccess(await connection.send("PUT", path, { body: text }));
        if (job.poll) {
          await operationEnd(connection, reply);
        }
      }
    }),
  );
  const elapsed = performance.now() - started;
  for (const connection of connections) {
    connection.close();
  }
  return elapsed;
}
