import type { Lease, StoredDocument, StoreEvent } from "../store.ts";

/** What a put under a lease tells about the operation, if the document belongs to it. */
export function progressWith(stored: StoredDocument | undefined, lease: Lease | undefined): StoreEvent[] {
  if (stored === undefined || lease === undefined || stored.operationId !== lease.operationId) {
    return [];
  }
  const { id, etag } = stored;
  return [{ kind: "progress", operationId: lease.operationId, document: { id, etag } }];
}
