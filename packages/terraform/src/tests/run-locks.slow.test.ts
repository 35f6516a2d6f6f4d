import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, it } from "node:test";
import { hostname } from "node:os";
import { type JsonObject, silentLogger } from "@rad/core";
import { type TestCluster, testCluster } from "@rad/kubernetes/testing";
import type { Store } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import { processesIn } from "../runs/processes.ts";
import type { RunEvent } from "../runs/run-event.ts";
import type { TerraformRun } from "../runs/terraform-run.ts";
import type { TerraformRuns } from "../runs/terraform-runs.ts";
import { realTerraform } from "../testing/real-binaries.ts";
import { leaseOf, openRuns, temporaryFolder } from "./run-kit.ts";
import { startLockServer } from "./lock-server.ts";

let cluster: TestCluster;
let store: Store;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let runs: TerraformRuns;
before(async () => {
  cluster = await testCluster({ apiServerOnly: true });
  store = await openTemporaryStore();
  folder = await temporaryFolder();
  runs = openRuns({ store, folder: folder.path });
});
after(async () => {
  await store[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** A run on a state in the cluster. @param wait seconds that its resource takes */
async function openRun(
  name: string,
  wait: number,
  onEvent: (event: RunEvent) => void = () => {},
): Promise<TerraformRun> {
  const backend = { kubernetes: { secret_suffix: name, namespace: "default", config_path: cluster.kubeConfig } };
  return await open(name, { terraform: { backend }, ...slowResource(wait) }, onEvent);
}

function slowResource(wait: number): JsonObject {
  const provisioner = { "local-exec": { command: `sleep ${wait}` } };
  return { resource: { terraform_data: { slow: wait === 0 ? {} : { provisioner } } } };
}

async function open(name: string, main: JsonObject, onEvent: (event: RunEvent) => void): Promise<TerraformRun> {
  const run = await runs.open({
    runId: randomUUID(),
    resourceId: `/planes/radius/local/resourceGroups/g/providers/Example.Stores/locks/${name}`,
    state: { backend: "kubernetes", name },
    purpose: "deploy",
    binary: leaseOf(await realTerraform()),
    files: { "main.tf.json": JSON.stringify(main) },
    env: {},
    secrets: [],
    signal: new AbortController().signal,
    onEvent,
    log: silentLogger,
  });
  await run.init();
  return run;
}

/** Starts an apply and kills Terraform in the middle of it, which leaves its lock behind. */
async function killedApply(name: string): Promise<TerraformRun> {
  const started = Promise.withResolvers<void>();
  const run = await openRun(name, 300, (event) => event.kind === "resource" && started.resolve());
  const applying = run.apply();
  await Promise.race([started.promise, applying]);
  for (const pid of await processesIn(run.folder)) {
    process.kill(pid, "SIGKILL");
  }
  await assert.rejects(applying, { code: "Killed" });
  return run;
}

it("the lock of our own run that was killed is broken by the next, which has not to wait for it", async () => {
  {
    await using run = await killedApply("ours");
    await run.settle();
  }
  await using next = await openRun("ours", 0);

  await next.apply();

  await next.settle();
  assert.deepEqual(await runs.unsettled(), []);
});

it("a lock of somebody else is never touched, and the error names its holder", async () => {
  const others = openRuns({ store: await openTemporaryStore(), folder: folder.path }); // another control plane
  const mine = runs;
  runs = others;
  await using left = await killedApply("theirs");
  runs = mine;
  await using run = await openRun("theirs", 0);

  for (let attempt = 0; attempt < 2; attempt += 1) {
    await assert.rejects(run.apply(), (error: Error & { code?: string }) => {
      assert.equal(error.code, "StateLocked");
      assert.match(error.message, new RegExp(`@${hostname()} \\(apply, since`, "u"));
      return true;
    });
  }
  await left.settle();
});

it("an http backend that tells only the id of a lock is quoted with it", async () => {
  await using server = await startLockServer();
  const { url } = server;
  server.lock = JSON.stringify({ ID: "lock-1", Who: "eve@elsewhere", Created: "2026-01-01T00:00:00Z" });
  const { lock } = server;
  const http = { address: url, lock_address: url, unlock_address: url, lock_method: "LOCK", unlock_method: "UNLOCK" };
  await using run = await open("http", { terraform: { backend: { http } }, ...slowResource(0) }, () => {});

  await assert.rejects(run.apply(), { code: "StateLocked", message: /lock-1/u });

  assert.equal(server.lock, lock);
});
