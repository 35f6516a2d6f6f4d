import { isJsonObject, type JsonObject, objectMember } from "@rad/core";
import type { Store, StoredDocument } from "@rad/store";
import { providerId, providerType } from "./provider-names.ts";

/** Begins like the types of registrations, so that followers of those hear of this one too. */
export const seededProviderType = `${providerType}/seeded`;

/** Outside of every plane, where no client can reach it. */
export function seededProviderId(planeScope: string, namespace: string): string {
  return `/system/seeded${providerId(planeScope, namespace)}`;
}

/**
 * What the latest start registered for a provider. The schemas of built-in types are served from here: what a client
 * registers under their names is stored and shown, and changes nothing about them.
 */
export interface SeededProvider {
  readonly document: StoredDocument;
  /** The schemas of a built-in type by api-version; empty for other types. @param typeName in any case. */
  schemas(typeName: string): ReadonlyMap<string, JsonObject>;
}

export async function readSeededProvider(
  store: Store,
  planeScope: string,
  namespace: string,
): Promise<SeededProvider | undefined> {
  const document = await store.get(seededProviderId(planeScope, namespace));
  return document === undefined ? undefined : { document, schemas: (typeName) => schemasIn(document, typeName) };
}

function schemasIn(document: StoredDocument, typeName: string): ReadonlyMap<string, JsonObject> {
  const types = objectMember(objectMember(document.body, "properties"), "schemas");
  const wanted = typeName.toLowerCase();
  const found = Object.entries(types).find(([name]) => name.toLowerCase() === wanted)?.[1];
  const versions = isJsonObject(found) ? found : {};
  return new Map(Object.keys(versions).map((version) => [version, objectMember(versions, version)]));
}
