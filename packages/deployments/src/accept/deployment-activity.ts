import { ApiError } from "@rad/core";
import type { Operation, Store, StoredDocument } from "@rad/store";

/** The operation that works on a deployment or on one that it is nested in, while it has not ended. */
export async function activeOperation(
  store: Store,
  document: StoredDocument | undefined,
): Promise<Operation | undefined> {
  if (document?.operationId === undefined) {
    return undefined;
  }
  const operation = await store.operations.get(document.operationId);
  return operation === undefined || operation.endedAt !== undefined ? undefined : operation;
}

/** The refusal of a second deployment of one name. `holder` is the outermost deployment that has it. */
export function deploymentActive(id: string, holder: string): ApiError {
  const name = id.slice(id.lastIndexOf("/") + 1);
  const isNested = holder.toLowerCase() !== id.toLowerCase();
  const where = isNested ? `, as a part of the deployment '${holder}'` : "";
  const message = `The deployment '${name}' is running${where}. Wait until it has ended, or cancel it.`;
  return new ApiError("DeploymentActive", message, { target: isNested ? holder : id });
}

/** @throws ApiError `DeploymentActive` */
export async function refuseWhileActive(store: Store, document: StoredDocument | undefined): Promise<void> {
  const operation = await activeOperation(store, document);
  if (document !== undefined && operation !== undefined) {
    throw deploymentActive(document.id, operation.resourceId);
  }
}
