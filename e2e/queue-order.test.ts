import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { silentLogger } from "@rad/core";
import { until } from "@rad/core/testing";
import { createKeyFile, openPostgresStore } from "@rad/store";
import type { Store } from "@rad/store";
import { startPostgres } from "@rad/store/testing";
import { launch } from "./support/launch.ts";
import { oneAtATime } from "./support/queue-worker.ts";

const count = 30;

it("a queue of concurrency 1 never runs two operations, in order, across processes and over a kill", async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), "rad-queue-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(folder, { recursive: true }));
  const [keyFile, journal] = [path.join(folder, "keys"), path.join(folder, "journal")];
  await using store = await openPostgresStore({ url, keys: await createKeyFile(keyFile), log: silentLogger });
  const script = path.join(import.meta.dirname, "support", "queue-worker.ts");
  const workers = await Promise.all([1, 2, 3].map(() => launch(script, [url, keyFile, journal])));
  cleanup.defer(() => workers.forEach(({ child }) => child.kill("SIGKILL")));

  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push(await enqueue(store, `/planes/radius/local/resourceGroups/g${index}`));
  }
  await sleep(100);
  workers[0]?.child.kill("SIGKILL");
  await allEnd(store, ids);

  const killed = String(workers[0]?.child.pid);
  const lines = (await readFile(journal, "utf8")).trim().split("\n");
  const started: string[] = [];
  let running: { resource: string; worker: string } | undefined;
  for (const line of lines) {
    const [moment = "", resource = "", worker = ""] = line.split(" ");
    if (moment === "start") {
      // Only the worker that was killed may leave an operation without an end; another then starts it again.
      assert.ok(running === undefined || running.worker === killed, `${line} while ${running?.resource} runs`);
      started.push(resource);
      running = { resource, worker };
    } else {
      assert.deepEqual(running, { resource, worker });
      running = undefined;
    }
  }
  const inOrder = Array.from({ length: count }, (_, index) => `/planes/radius/local/resourceGroups/g${index}`);
  assert.deepEqual([...new Set(started)], inOrder);
  assert.ok(started.length <= count + 1, "at most the killed operation runs twice");
});

async function enqueue(store: Store, resourceId: string): Promise<string> {
  const id = randomUUID();
  await store.write({
    operation: {
      id,
      resourceId,
      kind: "put",
      apiVersion: "2025-01-01",
      queue: oneAtATime.name,
      timeoutMs: 60_000,
      caller: "test",
      correlationId: id,
    },
  });
  return id;
}

async function allEnd(store: Store, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    let state: string | undefined;
    await until(
      () => `operation ${id} has succeeded; it is ${state}`,
      async () => {
        state = (await store.operations.get(id))?.state;
        return state === "Succeeded";
      },
      { timeoutMs: 60_000 },
    );
  }
}
