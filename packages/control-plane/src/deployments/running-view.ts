import { type JsonObject, objectMember } from "@rad/core";
import type { Store, StoredDocument } from "@rad/store";

/**
 * The body of a deployment that somebody works on, as callers see it; `undefined` for all others, which look as they
 * are stored. Only its operation knows that it runs: to store that twice would be a good part of the work of a small one.
 */
export async function runningView(store: Store, document: StoredDocument): Promise<JsonObject | undefined> {
  const operation = document.operationId === undefined ? undefined : await store.operations.get(document.operationId);
  const properties = operation?.state === "Updating" ? objectMember(document.body, "properties") : {};
  return properties["provisioningState"] === "Accepted"
    ? { ...document.body, properties: { ...properties, provisioningState: "Running" } }
    : undefined;
}
