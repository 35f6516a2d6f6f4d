import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { startServerProcess } from "../e2e/support/server-process.ts";
import { LoadGenerator } from "./load/generator.ts";
import type { LoadJob } from "./load/job.ts";
import type { Measurement } from "./report.ts";
import { apiVersion, asyncCollection, fill, resource, startOurs, syncCollection } from "./subjects.ts";

const idleAfterMs = 5_000;
const loadMs = 20_000;
const afterLoadMs = 60_000;

/** What a server takes in memory that is left alone from its first start on, and a minute after requests of all kinds. */
export async function measureMemory(): Promise<readonly Measurement[]> {
  await fillCompileCache();
  const idle = await idleMegabytes();
  const after = await megabytesAfterLoad();
  const name = "server memory a minute after load, against idle";
  return [
    { name: "server idle", value: idle, unit: "MB", figure: idle, target: { atMost: 120 } },
    { name, value: after, unit: "MB", baseline: idle, figure: after / idle, target: { atMost: 1.3 } },
  ];
}

/** Without it, the compiler that strips types would be part of what is measured. A process that is killed leaves none. */
async function fillCompileCache(): Promise<void> {
  await using server = await startServerProcess();
  await server.end("SIGTERM");
}

async function idleMegabytes(): Promise<number> {
  await using server = await startServerProcess();
  await sleep(idleAfterMs);
  return await residentMegabytes(server.pid);
}

async function megabytesAfterLoad(): Promise<number> {
  await using server = await startOurs();
  await fill(server, syncCollection);
  const { url, token } = server;
  const run = async (kind: LoadJob["kind"], collection: string): Promise<void> => {
    using load = new LoadGenerator();
    const body = JSON.stringify(resource);
    const job = { urls: [url], token, apiVersion, body, connections: 8, durationMs: loadMs, round: kind, poll: true };
    await load.run({ ...job, kind, collection });
  };
  await Promise.all([
    run("get", syncCollection),
    run("list", syncCollection),
    run("put", syncCollection),
    run("putAndWait", asyncCollection),
  ]);
  await sleep(afterLoadMs);
  return await residentMegabytes(server.pid);
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
