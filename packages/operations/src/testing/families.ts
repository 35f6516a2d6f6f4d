import type { OperationContext, Outcome } from "../operation-executor.ts";
import { newOperation, type WorkerKit } from "./worker-kit.ts";

/** A parent accepts its child and waits for it; what it has done is known from its child, whose id it was given. */
async function parentOrChild({ operation }: OperationContext, isKnown: (id: string) => Promise<boolean>) {
  const child = operation.input;
  if (typeof child !== "string" || (await isKnown(child))) {
    return undefined;
  }
  const change = { operation: newOperation({ id: child, queue: operation.queue }) };
  return { kind: "waiting", for: [child], change } satisfies Outcome;
}

/** Parents that each wait for a child of the same queue. @returns how many operations ended in which state */
export async function runFamilies(
  kit: WorkerKit,
  { parents, slots }: { readonly parents: number; readonly slots: number },
): Promise<ReadonlyMap<string, number>> {
  const { store } = kit;
  const families = Array.from({ length: parents }, () => ({ child: newOperation().id, parent: newOperation().id }));
  for (const { parent, child } of families) {
    void kit.enqueue({ id: parent, input: child });
  }
  const isKnown = async (id: string): Promise<boolean> => (await store.operations.get(id)) !== undefined;
  kit.start({ slots, run: (context) => parentOrChild(context, isKnown) });
  const states = new Map<string, number>();
  for (const id of families.flatMap(({ parent, child }) => [parent, child])) {
    const { state } = await kit.ended(id, { timeoutMs: 300_000 }); // the child of the first waits behind every parent
    states.set(state, (states.get(state) ?? 0) + 1);
  }
  return states;
}
