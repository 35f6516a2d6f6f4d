import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { freePort } from "@rad/store/testing";
import { processesIn } from "../runs/processes.ts";
import type { CloudRequest } from "../testing/counting-cloud.ts";
import { realTerraform } from "../testing/real-binaries.ts";
import { addressOf, type Downloads, startDownloads, temporaryFolder } from "./run-kit.ts";
import type { ServerMessage, ServerOptions, ServerTask } from "./run-process.ts";

const kills = Number(process.env["RAD_TERRAFORM_KILLS"] ?? 6);
const seed = Number(process.env["RAD_TERRAFORM_SEED"] ?? Math.floor(Math.random() * 1e9));
const victims = ["server", "terraform", "provider", "supervisor"] as const;

let downloads: Downloads;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let options: ServerOptions;
let server: ChildProcess | undefined;

before(async () => {
  downloads = await startDownloads();
  folder = await temporaryFolder();
  const { terraformrc, env, source } = downloads;
  const binary = await realTerraform();
  options = { folder: folder.path, port: await freePort(), binary, downloads: { terraformrc, env, source } };
});
after(async () => {
  server?.kill("SIGKILL");
  await downloads[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

it(`${kills} kills: nothing exists unseen, no two runs overlap, the next run converges (seed ${seed})`, async (test) => {
  test.diagnostic(`seed ${seed}`);
  const random = mulberry(seed);
  const name = "victim";
  const buckets = Array.from({ length: 6 }, (_, index) => `${name}-${index}`);
  let isDelete = false;
  for (let kill = 0; kill < kills; kill += 1) {
    const victim = victims[Math.floor(random() * victims.length)] ?? "server";
    const when = random() < 0.5 ? "before" : "after";
    const skip = Math.floor(random() * buckets.length);
    let met = 0;
    const action = isDelete ? "delete" : "create";
    {
      const call = async (request: CloudRequest): Promise<void> => {
        met += 1;
        if (met === skip + 1) {
          await killVictim(victim, request);
        }
      };
      using _ = downloads.cloud.fault(new RegExp(`^${action} aws_s3_bucket`, "u"), { kind: "call", when, call });
      await perform({ name, buckets, isDelete }).catch(() => {}); // killed, or failed for it
    }
    test.diagnostic(`kill ${kill}: ${victim}, ${when} ${action} ${skip}`);
    await converge({ name, buckets, isDelete });
    const left = downloads.cloud.objects().map(({ id }) => id);
    assert.deepEqual(left.toSorted(), isDelete ? [] : buckets.toSorted());
    isDelete = !isDelete;
  }
  await converge({ name, buckets, isDelete: true });
  assert.deepEqual(downloads.cloud.objects(), []);
  assert.deepEqual(await processesIn(join(folder.path, "runs")), []);
  assertNoOverlap(downloads.cloud.requests);
});

/** A run that died may have left creations that it names; everything else has to come right by itself. */
async function converge(task: ServerTask): Promise<void> {
  let problem = "";
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await perform(task);
      return;
    } catch (error) {
      problem = error instanceof Error ? error.message : "";
    }
  }
  assert.fail(`does not converge: ${problem}`);
}

async function perform(task: ServerTask): Promise<void> {
  const child = server?.connected === true ? server : await startServer();
  child.send(task);
  for (;;) {
    const message = await next(child);
    if (message.kind === "done") {
      return;
    }
    if (message.kind === "failed") {
      throw new Error(message.message);
    }
    if (message.kind === "unsaved") {
      for (const bucket of task.buckets.filter((bucket) => message.addresses.includes(addressOf(bucket)))) {
        if (downloads.cloud.objects().some(({ id }) => id === bucket)) {
          downloads.cloud.remove(bucket); // as somebody does who reads the list of orphans
        }
      }
      child.send("looked");
    }
  }
}

async function startServer(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, "run-process.ts"), [JSON.stringify(options)]);
  server = child;
  await next(child);
  return child;
}

async function next(child: ChildProcess): Promise<ServerMessage> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      once(child, "message", { signal: ended.signal }).then(([message]) => message as ServerMessage),
      once(child, "exit", { signal: ended.signal }).then(() => {
        throw new Error("The server died.");
      }),
    ]);
  } finally {
    ended.abort();
  }
}

async function killVictim(victim: (typeof victims)[number], request: CloudRequest): Promise<void> {
  switch (victim) {
    case "server":
      server?.kill("SIGKILL");
      break;
    case "terraform":
      process.kill(request.terraformPid, "SIGKILL");
      break;
    case "provider":
      process.kill(request.providerPid, "SIGKILL");
      break;
    case "supervisor":
      process.kill(await parentOf(request.terraformPid), "SIGKILL");
      break;
    default:
      victim satisfies never;
  }
}

async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8");
  return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]);
}

/** Once another Terraform has called the cloud, none before it does again. */
function assertNoOverlap(requests: readonly CloudRequest[]): void {
  const done = new Set<number>();
  let current: number | undefined;
  for (const { terraformPid } of requests) {
    if (terraformPid !== current) {
      assert.ok(!done.has(terraformPid), `${terraformPid} runs beside ${current}`);
      done.add(current ?? 0);
      current = terraformPid;
    }
  }
}

function mulberry(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
