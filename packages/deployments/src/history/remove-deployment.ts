import type { Store, StoredDocument } from "@rad/store";
import type { DeploymentHost } from "../deployment-host.ts";
import { refuseWhileActive } from "../accept/deployment-activity.ts";
import { removeRecords } from "../records/operation-records.ts";

/**
 * Removes what is remembered of a deployment, not what it deployed. The document goes last, so that a removal that was
 * interrupted can be asked for again.
 * @throws ApiError `DeploymentActive`; StoreError `EtagMismatch` when somebody starts it again meanwhile.
 */
export async function removeDeployment({ store }: DeploymentHost, document: StoredDocument): Promise<void> {
  await refuseWhileActive(store, document);
  await removeEnded(store, document);
}

export async function removeEnded(store: Store, document: StoredDocument): Promise<void> {
  // The guard keeps the records of a run of the same name that starts now.
  const guards = [{ kind: "exists", id: document.id, etag: document.etag } as const];
  await removeRecords(
    store,
    document.id,
    () => true,
    (also) => store.write({ also, guards }),
  );
  await store.write({ document: { kind: "remove", id: document.id, expect: { etag: document.etag } } });
}
