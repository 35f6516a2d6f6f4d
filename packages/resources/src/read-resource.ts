import type { Store, StoredDocument } from "@rad/store";
import type { ResourceRequest } from "./resource-request.ts";
import { resourceNotFound } from "./scopes.ts";
import type { TypeDirectory } from "./types/served-type.ts";

export interface ReadDeps {
  readonly store: Store;
  readonly types: TypeDirectory;
}

/** @throws ApiError when the type, its version or the resource does not exist. */
export async function getResource(
  { store, types }: ReadDeps,
  { id, apiVersion }: Pick<ResourceRequest, "id" | "apiVersion">,
): Promise<StoredDocument> {
  const type = await types.resolve(id, apiVersion);
  type.version(apiVersion);
  const document = await store.get(id.toString());
  if (document === undefined) {
    throw await resourceNotFound(store, id);
  }
  return document;
}
