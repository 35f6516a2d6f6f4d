import { ApiError } from "@rad/core";
import { type DocumentRemove, type Store, type StoredDocument, StoreError, type Write } from "@rad/store";
import type { DeploymentHost } from "../deployment-host.ts";
import { refuseWhileActive } from "../accept/deployment-activity.ts";
import { recordPages } from "../records/operation-records.ts";

/** How the writes of a removal go on the audit log; see `ChangeTrail`. */
export interface RemovalTrail {
  write(change: Write): Promise<unknown>;
  last(): NonNullable<Write["audit"]>;
}

/**
 * Removes what is remembered of a deployment, not what it deployed. The document goes last, so that a removal that was
 * interrupted can be asked for again; a short one is a single transaction.
 * @throws ApiError `DeploymentActive`, `Conflict` when it is started again meanwhile.
 */
export async function removeDeployment(
  { store }: DeploymentHost,
  document: StoredDocument,
  trail?: RemovalTrail,
): Promise<void> {
  await refuseWhileActive(store, document);
  try {
    await removeEnded(store, document, trail);
  } catch (error) {
    if (error instanceof StoreError && (error.code === "EtagMismatch" || error.code === "GuardFailed")) {
      const message = "Somebody else changed the deployment meanwhile; read it and try again.";
      throw new ApiError("Conflict", message, { target: document.id, cause: error });
    }
    throw error;
  }
}

/** @throws StoreError `EtagMismatch`, `GuardFailed` when it is started again meanwhile. */
export async function removeEnded(store: Store, document: StoredDocument, trail?: RemovalTrail): Promise<void> {
  // The guard keeps the records of a run of the same name that starts now.
  const guards = [{ kind: "exists", id: document.id, etag: document.etag } as const];
  let also: readonly DocumentRemove[] = [];
  for await (const page of recordPages(store, document.id)) {
    if (also.length > 0) {
      await (trail ?? store).write({ also, guards });
    }
    also = page.map(({ id }) => ({ kind: "remove", id, expect: "any" }));
  }
  await store.write({
    document: { kind: "remove", id: document.id, expect: { etag: document.etag } },
    also,
    audit: trail?.last() ?? [],
  });
}
