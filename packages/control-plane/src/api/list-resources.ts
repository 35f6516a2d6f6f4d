import { ApiError, type JsonObject, type ResourceId } from "@rad/core";
import { type ListQuery, type Store, type StoredDocument, StoreError } from "@rad/store";
import { type Answer, jsonAnswer } from "@rad/modules";
import type { ApiRequest } from "./api-request.ts";
import { nextLink, readTop } from "./paging.ts";
import { requireParent, requireScopes, type ReadDeps } from "@rad/resources";

/** @param readable filters what the caller may see when the list is wider than the caller's permissions. */
export async function listResources(
  { store, types }: ReadDeps,
  request: ApiRequest,
  readable: (id: string) => boolean,
): Promise<Answer> {
  const { id } = request;
  const type = await types.resolve(id, request.apiVersion);
  type.version(request.apiVersion);
  return await listPage(store, request, readable);
}

export interface PageOptions {
  /** How long it is unless the request says so. */
  readonly usualTop?: number | undefined;
  /** What callers see of a document. */
  readonly show?: (document: StoredDocument) => Promise<JsonObject>;
}

/**
 * One page of the collection that a request names.
 * @throws ApiError `NotFound` when there is no such place.
 */
export async function listPage(
  store: Store,
  request: ApiRequest,
  readable: (id: string) => boolean,
  { usualTop, show = async ({ body }) => body }: PageOptions = {},
): Promise<Answer> {
  const { id } = request;
  const top = readTop(request, usualTop);
  const after = request.parameter("skipToken");
  const page = await store
    .list({ type: id.type, ...listParent(id), limit: top, ...(after === undefined ? {} : { after }) })
    .catch(explainToken);
  if (page.items.length === 0 && after === undefined) {
    await requireScopes(store, id);
    await requireParent(store, id);
  }
  const value = await Promise.all(page.items.filter((item) => readable(item.id)).map(show));
  return jsonAnswer(200, {
    value,
    ...(page.next === undefined ? {} : { nextLink: nextLink(request, page.next, top) }),
  });
}

/** Where a collection's members are: right at the scope, below the plane at any depth, or below a parent resource. */
function listParent(id: ResourceId): Pick<ListQuery, "under" | "directly"> {
  const part = id.extension ?? id.provider;
  if (part === undefined || part.types.length > 1) {
    return { under: id.truncate().toString() };
  }
  const atPlane = id.extension === undefined && id.scopes.length === 1;
  return atPlane ? { under: id.rootScope } : { under: id.rootScope, directly: true };
}

function explainToken(error: unknown): never {
  if (error instanceof StoreError && error.code === "InvalidToken") {
    throw new ApiError("BadRequest", "'skipToken' is not one that this list gave out.", { cause: error });
  }
  throw error;
}
