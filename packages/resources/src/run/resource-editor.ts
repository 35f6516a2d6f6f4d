import { type JsonObject, ResourceId } from "@rad/core";
import type { Lease } from "@rad/store";
import type { ChangeDeps } from "../change-deps.ts";
import type { Requester } from "../requester.ts";
import { requirePermission, resourceAccess, type ResourceChange, type ResourceEditor } from "../resource-access.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { deleteResource } from "../write/delete-resource.ts";
import { putResource } from "../write/put-resource.ts";

/** The work that changes other resources. */
export interface EditingWork {
  readonly requester: Requester;
  readonly lease: Lease;
  readonly signal: AbortSignal;
}

export function resourceEditor(deps: ChangeDeps, { requester, lease, signal }: EditingWork): ResourceEditor {
  const { store, permissions, location } = deps;
  const requestFor = ({ id, apiVersion }: ResourceChange, body?: JsonObject): ResourceRequest => {
    requirePermission(permissions, requester.caller, "write", id);
    return {
      ...requester,
      id: ResourceId.parse(id),
      apiVersion,
      body: body && { location, ...body },
      ifMatch: undefined,
      ifNoneMatch: undefined,
      hide: (values) => requester.hide(values),
      signal: () => signal,
    };
  };
  return {
    ...resourceAccess(store, permissions, requester),
    put: async (change) => {
      const request = requestFor(change, change.body);
      const together = () => ({ lease });
      const { operation } = await putResource(deps, request, { keepUnchanged: true, together });
      return operation?.id;
    },
    delete: async (change) => {
      const result = await deleteResource(deps, requestFor(change), { lease });
      return result.kind === "accepted" ? result.operation.id : undefined;
    },
  };
}
