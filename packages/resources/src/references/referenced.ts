import { ApiError, type ErrorDetail, type JsonObject, objectMember, ResourceId } from "@rad/core";
import type { StoredDocument } from "@rad/store";
import type { ResourceReader } from "../resource-access.ts";
import type { ResourceHandler } from "../resource-handler.ts";
import { referencesPath, referencesTo, type StoredReference } from "./reference-documents.ts";
import type { ReferenceChanges } from "./referring.ts";

/** How many of those that refer to a resource a refusal names. */
const mostNamed = 20;

/**
 * What a DELETE of a resource needs that others may refer to: a guard, and the removal of references whose owner is gone.
 * @throws ApiError `Conflict` that names who refers to it.
 */
export async function guardReferenced(
  handler: ResourceHandler,
  document: StoredDocument,
  resources: ResourceReader,
): Promise<ReferenceChanges> {
  if (handler.isReferenced !== true) {
    return { also: [], guards: [] };
  }
  const stale: StoredReference[] = [];
  const live: string[] = [];
  for (const reference of await referencesTo(document.id, resources)) {
    const isGone = (await resources.get(reference.referrer)) === undefined;
    if (isGone) {
      stale.push(reference);
    } else {
      live.push(reference.referrer);
    }
  }
  if (live.length > 0) {
    throw stillReferenced(document.id, live);
  }
  const gone = stale.map(({ document: { id, etag } }) => ({ id, etag }));
  return {
    also: gone.map(({ id, etag }) => ({ kind: "remove", id, expect: { etag } })),
    guards: [{ kind: "empty", under: referencesPath(document.id), except: gone.map(({ id }) => id) }],
  };
}

/** The resource with `referencedBy`, where it shows that and anybody refers to it; else `undefined`: as stored. */
export async function withReferencedBy(
  handler: ResourceHandler,
  document: StoredDocument,
  resources: Pick<ResourceReader, "list">,
): Promise<JsonObject | undefined> {
  const references = handler.isReferenced === true ? await referencesTo(document.id, resources) : [];
  if (references.length === 0) {
    return undefined;
  }
  const body = await document.parsed();
  const referencedBy = references.map(({ referrer }) => referrer);
  return { ...body, properties: { ...objectMember(body, "properties"), referencedBy } };
}

function stillReferenced(id: string, referrers: readonly string[]): ApiError {
  const named = referrers.slice(0, mostNamed);
  const more = referrers.length - named.length;
  const list = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
  const details = named.map((referrer): ErrorDetail => {
    return { code: "Conflict", message: `'${referrer}' refers to it.`, target: referrer };
  });
  return new ApiError(
    "Conflict",
    `Cannot delete ${nameOfType(id)}: still referenced by ${nameOfType(named[0] ?? id)}: [${list}]`,
    { target: id, details },
  );
}

/** `terraformSettings` of `Radius.Core/terraformSettings`. */
function nameOfType(id: string): string {
  return ResourceId.parse(id).type.split("/").at(-1) ?? "";
}
