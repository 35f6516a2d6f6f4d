// A worker on one queue of concurrency 1, in a process of its own:
//   node e2e/support/queue-worker.ts <database URL> <key file> <journal>
// It notes in the journal when it starts and ends an operation.
import { appendFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { silentLogger } from "@rad/core";
import { WorkerKit } from "@rad/operations/testing";
import { openPostgresStore, readKeyFile } from "@rad/store";

export const oneAtATime = { name: "one-at-a-time", concurrency: 1, fifo: true } as const;

if (import.meta.main) {
  const [url = "", keyFile = "", journal = ""] = process.argv.slice(2);
  const keys = await readKeyFile(keyFile);
  const kit = await WorkerKit.open(() => openPostgresStore({ url, keys, log: silentLogger }));
  const worker = kit.start({
    queues: [oneAtATime],
    leaseMs: 5000,
    maxAttempts: 5,
    pollMs: 100,
    run: async ({ operation }) => {
      await appendFile(journal, `start ${operation.resourceId} ${process.pid}\n`);
      await sleep(20);
      await appendFile(journal, `end ${operation.resourceId} ${process.pid}\n`);
    },
  });
  process.once("SIGTERM", () => void worker.drain().then(() => process.exit(0)));
  process.stdout.write(`${JSON.stringify({ pid: process.pid })}\n`);
}
