import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redactor, silentLogger, systemClock } from "@rad/core";
import { type OperationExecutor, OperationWorker } from "@rad/operations";
import { type NewOperation, openSqliteStore, type Store } from "@rad/store";
import { type Measurement, median } from "./report.ts";

const parents = 1_000;
/** One takes a fraction of a second, in which a busy machine varies a lot. */
const rounds = 21;

/** What waiting costs: parents that each wait for a child of their queue, against as many operations that wait for nothing. */
export async function measureOperations(): Promise<readonly Measurement[]> {
  const waiting: number[] = [];
  const bare: number[] = [];
  await runAll(parents, true); // compiles what runs often
  for (let round = 0; round < rounds; round += 1) {
    waiting.push(await runAll(parents, true));
    bare.push(await runAll(2 * parents, false));
  }
  const [value, baseline] = [median(waiting), median(bare)];
  return [
    {
      name: `${parents} parents that each wait for a child, against ${2 * parents} operations that wait for nothing`,
      value,
      unit: "ms",
      baseline,
      figure: value / baseline,
      target: { atMost: 2 },
    },
  ];
}

/** @returns milliseconds from the first operation to the end of the last */
async function runAll(count: number, haveChildren: boolean): Promise<number> {
  const directory = await mkdtemp(path.join(tmpdir(), "rad-bench-"));
  const store = await openSqliteStore({ directory, log: silentLogger });
  try {
    return await runOn(store, count, haveChildren);
  } finally {
    await store[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  }
}

async function runOn(store: Store, count: number, haveChildren: boolean): Promise<number> {
  const over = Promise.withResolvers<void>();
  let left = haveChildren ? 2 * count : count;
  using _subscription = store.subscribe((event) => {
    left -= event.kind === "ended" ? 1 : 0;
    if (left === 0) {
      over.resolve();
    }
  });
  const started = performance.now();
  const operations = Array.from({ length: count }, () => newOperation(haveChildren ? "parent" : "child"));
  await Promise.all(operations.map((operation) => store.write({ operation })));
  const worker = new OperationWorker({
    store,
    executor: families(),
    clock: systemClock,
    log: silentLogger,
    redactor: new Redactor(),
    owner: "bench",
    queues: [{ name: "bench" }],
    slots: 10,
    leaseMs: 60_000,
    maxAttempts: 1,
    graceMs: 1_000,
    pollMs: 1_000,
  });
  await over.promise;
  const tookMs = performance.now() - started;
  await worker.drain();
  return tookMs;
}

/** A parent accepts its child and waits for it in one write; the second time it is done. */
function families(): OperationExecutor {
  const begun = new Set<string>();
  return {
    begin: async () => {},
    run: async ({ operation: { id, kind } }) => {
      if (kind === "child" || begun.has(id)) {
        return { kind: "done", ending: {} };
      }
      begun.add(id);
      const child = newOperation("child");
      return { kind: "waiting", for: [child.id], change: { operation: child } };
    },
    conclude: async () => ({}),
  };
}

function newOperation(kind: "parent" | "child"): NewOperation {
  return {
    id: randomUUID(),
    resourceId: "/planes/radius/local/resourceGroups/bench/providers/Bench.Load/items/one",
    kind,
    apiVersion: "2025-01-01",
    queue: "bench",
    timeoutMs: 3_600_000,
    caller: "bench",
    correlationId: "bench",
  };
}
