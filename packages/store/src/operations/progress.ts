import type { DocumentChange, StoreEvent, Write } from "../store.ts";

/** What a write under a lease tells about the operation: which of the documents that belong to it were put. */
export function progressOf({ lease, document, also = [] }: Write): StoreEvent[] {
  if (lease === undefined) {
    return [];
  }
  const { operationId } = lease;
  const changes: readonly DocumentChange[] = document === undefined ? also : [document, ...also];
  return changes.flatMap((change) =>
    change.kind === "put" && change.input.operationId === operationId
      ? [{ kind: "progress", operationId, document: change.input.id }]
      : [],
  );
}
