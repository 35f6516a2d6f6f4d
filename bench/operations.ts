import type { OperationContext, Outcome } from "@rad/operations";
import { newOperation, WorkerKit } from "@rad/operations/testing";
import { openTemporaryStore } from "@rad/store/testing";
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
  await using kit = await WorkerKit.open(() => openTemporaryStore());
  const over = Promise.withResolvers<void>();
  let left = haveChildren ? 2 * count : count;
  using _subscription = kit.store.subscribe((event) => {
    left -= event.kind === "ended" ? 1 : 0;
    if (left === 0) {
      over.resolve();
    }
  });
  const kind = haveChildren ? "parent" : "child";
  const started = performance.now();
  await Promise.all(Array.from({ length: count }, () => kit.enqueue({ kind })));
  kit.start({ slots: 10, pollMs: 1_000, run: createFamilies() });
  await over.promise;
  return performance.now() - started;
}

/** A parent accepts its child and waits for it in one write; the second time it is done. */
function createFamilies(): (context: OperationContext) => Promise<Outcome | undefined> {
  const begun = new Set<string>();
  return async ({ operation: { id, kind } }) => {
    if (kind === "child" || begun.has(id)) {
      return undefined;
    }
    begun.add(id);
    const child = newOperation({ kind: "child" });
    return { kind: "waiting", for: [child.id], change: { operation: child } };
  };
}
