import { inSlices, objectMember, printJson } from "@rad/core";
import type { Store, StoredDocument } from "@rad/store";
import type { ResourceRequest } from "./resource-request.ts";
import { withReferencedBy } from "./references/referenced.ts";
import { resourceNotFound } from "./scopes.ts";
import type { ServedType, TypeDirectory } from "./types/served-type.ts";

export interface ReadDeps {
  readonly store: Store;
  readonly types: TypeDirectory;
}

export interface FoundResource {
  readonly type: ServedType;
  readonly document: StoredDocument;
}

/** @throws ApiError when the type, its version or the resource does not exist. */
export async function getResource(
  { store, types }: ReadDeps,
  { id, apiVersion }: Pick<ResourceRequest, "id" | "apiVersion">,
): Promise<FoundResource> {
  const type = await types.resolve(id, apiVersion);
  type.version(apiVersion);
  const document = await store.get(id.key);
  if (document === undefined) {
    throw await resourceNotFound(store, id);
  }
  return { type, document };
}

/** What readers of a resource are told with it. */
export async function shownWarnings({ type, document }: FoundResource): Promise<readonly string[]> {
  const { handler } = type;
  return handler.warnings?.({ properties: objectMember(await document.parsed(), "properties") }) ?? [];
}

/** The text that readers of a resource get: as stored, and for types that show it, with who refers to the resource. */
export function shownText(store: Store, { type, document }: FoundResource): string | Promise<string> {
  return type.handler.isReferenced === true ? textWithReferences(store, { type, document }) : document.json;
}

async function textWithReferences(store: Store, { type, document }: FoundResource): Promise<string> {
  const body = await withReferencedBy(type.handler, document, store);
  return body === undefined ? document.json : await inSlices(printJson(body));
}
