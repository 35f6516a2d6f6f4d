import { ApiError, inSlices, type JsonObject, printJson, type ResourceId } from "@rad/core";
import { type ListQuery, type Page, pageBytes, type Store, type StoredDocument, StoreError } from "@rad/store";
import type { Answer } from "@rad/modules";
import type { ApiRequest } from "./api-request.ts";
import { listAnswer } from "./list-answer.ts";
import { nextLink, readTop } from "./paging.ts";
import { requireParent, requireScopes, type ReadDeps, withReferencedBy } from "@rad/resources";

/** @param readable filters what the caller may see when the list is wider than the caller's permissions. */
export async function listResources(
  { store, types }: ReadDeps,
  request: ApiRequest,
  readable: (id: string) => boolean,
): Promise<Answer> {
  const { id } = request;
  const type = await types.resolve(id, request.apiVersion);
  type.version(request.apiVersion);
  return await listPage(store, request, readable, {
    scopeOptional: type.policy.scopeOptional === true,
    ...(type.handler.isReferenced === true
      ? { show: (document) => withReferencedBy(type.handler, document, store) }
      : {}),
  });
}

export interface PageOptions {
  /** How long it is unless the request says so. */
  readonly usualTop?: number | undefined;
  /** An empty list needs no plane. */
  readonly scopeOptional?: boolean;
  /** What callers see of a document, where that is not the stored text. */
  readonly show?: (document: StoredDocument) => Promise<JsonObject | undefined>;
}

/**
 * One page of the collection that a request names.
 * @throws ApiError `NotFound` when there is no such place.
 */
export async function listPage(
  store: Store,
  request: ApiRequest,
  readable: (id: string) => boolean,
  { usualTop, scopeOptional = false, show }: PageOptions = {},
): Promise<Answer> {
  const { id } = request;
  const top = readTop(request, usualTop);
  const page = await readPage(store, request, { type: id.type, ...listParent(id), limit: top });
  if (page.items.length === 0 && !scopeOptional && request.parameter("skipToken") === undefined) {
    await requireScopes(store, id);
    await requireParent(store, id);
  }
  const items: string[] = [];
  for (const item of page.items.filter(({ id: itemId }) => readable(itemId))) {
    const shown = await show?.(item);
    items.push(shown === undefined ? item.json : await inSlices(printJson(shown)));
  }
  return listAnswer(items, page.next === undefined ? undefined : nextLink(request, page.next, { top }));
}

/** What comes after the request's `skipToken`, bounded in bytes. @throws ApiError for a token of another list. */
export async function readPage(
  store: Store,
  request: Pick<ApiRequest, "parameter">,
  query: Omit<ListQuery, "after" | "maxBytes">,
): Promise<Page> {
  const after = request.parameter("skipToken");
  return await store
    .list({ ...query, maxBytes: pageBytes, ...(after === undefined ? {} : { after }) })
    .catch(explainToken);
}

/** Where a collection's members are: right at the scope, below the plane at any depth, or below another resource. */
function listParent(id: ResourceId): Pick<ListQuery, "under" | "directly"> {
  const part = id.extension ?? id.provider;
  if (part === undefined || part.types.length > 1) {
    return { under: id.truncate().toString() };
  }
  if (id.extended !== undefined) {
    return { under: id.extended.toString() };
  }
  return id.scopes.length === 1 ? { under: id.rootScope } : { under: id.rootScope, directly: true };
}

/** For `catch`: says of a refused token which parameter it came from. */
export function explainToken(error: unknown): never {
  if (error instanceof StoreError && error.code === "InvalidToken") {
    throw new ApiError("BadRequest", "'skipToken' is not one that this list gave out.", { cause: error });
  }
  throw error;
}
