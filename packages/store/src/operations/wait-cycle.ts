import { StoreError } from "../store.ts";

/** `source` waits for `target`. */
export interface WaitEdge {
  readonly source: string;
  readonly target: string;
}

/**
 * Refuses a wait that could never end.
 * @param edges everything that the awaited operations wait for, directly or through others
 * @throws StoreError `WaitCycle`
 */
export function refuseCycle(operationId: string, awaited: readonly string[], edges: readonly WaitEdge[]): void {
  const path = pathBackTo(operationId, awaited, edges);
  if (path !== undefined) {
    const message = `The operation ${operationId} would wait for itself: ${path.join(" → ")}.`;
    throw new StoreError("WaitCycle", message, { path });
  }
}

/** Breadth first, so that the path is as short as it can be. */
function pathBackTo(
  operationId: string,
  awaited: readonly string[],
  edges: readonly WaitEdge[],
): readonly string[] | undefined {
  const targets = Map.groupBy(edges, ({ source }) => source);
  const reachedFrom = new Map<string, string>(awaited.map((id) => [id, operationId]));
  // Grows while it is walked.
  for (const id of reachedFrom.keys()) {
    if (id === operationId) {
      return pathTo(operationId, reachedFrom);
    }
    for (const { target } of targets.get(id) ?? []) {
      if (!reachedFrom.has(target)) {
        reachedFrom.set(target, id);
      }
    }
  }
  return undefined;
}

function pathTo(operationId: string, reachedFrom: ReadonlyMap<string, string>): readonly string[] {
  const path = [operationId];
  let id = operationId;
  do {
    id = reachedFrom.get(id) ?? operationId;
    path.push(id);
  } while (id !== operationId);
  return path.reverse();
}
