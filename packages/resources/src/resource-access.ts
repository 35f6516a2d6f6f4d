import { ApiError, inSlices, type JsonObject, ResourceId } from "@rad/core";
import type { ListQuery, Page, Store, StoredDocument } from "@rad/store";
import type { Caller } from "./caller.ts";
import { hideSecrets } from "./handling/hide-secrets.ts";
import type { Requester } from "./requester.ts";
import type { SealedValues } from "./resource-handler.ts";

/** Answers whether a caller has a permission. */
export interface Permissions {
  /** @param permission `<type>/read`, `<type>/<action>/action`, … */
  allows(caller: Caller, permission: string, id: string): boolean;
}

export interface ResourceReader {
  get(id: string): Promise<StoredDocument | undefined>;
  list(query: ListQuery): Promise<Page>;
  /** The sealed values in clear, by pointer. They are hidden from logs and errors until the work ends. */
  secrets(id: string): Promise<SealedValues>;
}

/** A change of another resource. */
export interface ResourceChange {
  readonly id: string;
  readonly apiVersion: string;
}

export interface ResourcePut extends ResourceChange {
  /** As in a request: `tags` and `properties`. */
  readonly body: JsonObject;
}

/** The one way to other resources; each read says on whose behalf it is made. */
export interface ResourceAccess {
  /** @throws ApiError `Forbidden` from `get` and `secrets`; `list` leaves out what the requester may not read. */
  readonly asRequester: ResourceReader;
  /** For what the requester need not be allowed to see, such as the secrets that a recipe of their environment uses. */
  readonly asServer: ResourceReader;
}

/** What a handler's operation may also do: its changes are refused once another worker has taken it over. */
export interface ResourceEditor extends ResourceAccess {
  /**
   * Creates or replaces a resource on behalf of the requester. Resolves to the operation that carries it out, for
   * types that are asynchronous: wait for it, and ask again. A resource that is as asked already is left alone; an
   * operation that asks twice for the same, also after a crash, gets what it started the first time.
   * @throws ApiError `Forbidden`, `Conflict` while another operation works on it, whatever a client would get, and the
   *   error with which what it started has ended.
   */
  put(change: ResourcePut): Promise<string | undefined>;
  /** Deletes a resource likewise; nothing happens when there is none. */
  delete(change: ResourceChange): Promise<string | undefined>;
}

/** Reads everything, without a permission check. */
export function serverReader(store: Store, hide: Requester["hide"]): ResourceReader {
  return {
    get: (id) => store.get(id),
    list: (query) => store.list(query),
    secrets: async (id) => {
      const values = await store.secrets(id);
      await inSlices(hideSecrets(hide, values));
      return values;
    },
  };
}

/** @throws ApiError `Forbidden` */
export function requirePermission(permissions: Permissions, caller: Caller, verb: string, id: string): void {
  const permission = `${ResourceId.parse(id).type}/${verb}`;
  if (!permissions.allows(caller, permission, id)) {
    throw new ApiError("Forbidden", `'${caller.subject}' needs ${permission} at '${id}'.`, { target: id });
  }
}

export function resourceAccess(store: Store, permissions: Permissions, requester: Requester): ResourceAccess {
  const { caller } = requester;
  const asServer = serverReader(store, (values) => requester.hide(values));
  return {
    asServer,
    asRequester: {
      get: async (id) => {
        requirePermission(permissions, caller, "read", id);
        return await asServer.get(id);
      },
      list: async (query) => {
        const page = await asServer.list(query);
        const items = page.items.filter((item) => permissions.allows(caller, `${item.type}/read`, item.id));
        return { ...page, items };
      },
      secrets: async (id) => {
        requirePermission(permissions, caller, "listSecrets/action", id);
        return await asServer.secrets(id);
      },
    },
  };
}
