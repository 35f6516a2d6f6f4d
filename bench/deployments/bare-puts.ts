import { setTimeout as sleep } from "node:timers/promises";
import { Connection, header } from "../load/connection.ts";
import type { Reply } from "../load/connection.ts";
import { body } from "./bench-template.ts";

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

/** What `deployments.concurrency` is when nobody sets it. */
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
        const reply = expectSuccess(await connection.send("PUT", path, text));
        if (job.poll) {
          await ended(connection, new URL(header(reply.head, "azure-asyncoperation") ?? "missing:"));
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

async function ended(connection: Connection, { pathname, search }: URL): Promise<void> {
  for (;;) {
    const reply = expectSuccess(await connection.send("GET", `${pathname}${search}`));
    const { status } = JSON.parse(reply.body) as { status: string };
    if (status === "Succeeded") {
      return;
    }
    if (status === "Failed" || status === "Canceled") {
      throw new Error(`${pathname} ended as ${status}`);
    }
    await sleep(2);
  }
}

function expectSuccess(reply: Reply): Reply {
  if (reply.status !== 200 && reply.status !== 201) {
    throw new Error(`status ${reply.status}: ${reply.body.slice(0, 300)}`);
  }
  return reply;
}
