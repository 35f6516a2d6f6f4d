import { type JsonObject, ResourceId } from "@rad/core";
import type { Lease, Operation, Store } from "@rad/store";
import type { ChangeDeps } from "../change-deps.ts";
import { operationError } from "../operation-error.ts";
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
      const earlier = await startedBefore(store, { id: change.id, kind: "put", lease });
      if (isRunning(earlier)) {
        return earlier.id;
      }
      const { operation, document } = await putResource(deps, request, {
        keepUnchanged: true,
        leaveUnchanged: earlier === undefined ? "succeeded" : "always",
        awaitedBy: lease.operationId,
        together: () => ({ lease }),
      });
      if (operation === undefined) {
        requireSuccess(document.id, earlier);
      }
      return operation?.id;
    },
    delete: async (change) => {
      const request = requestFor(change);
      const earlier = await startedBefore(store, { id: change.id, kind: "delete", lease });
      if (isRunning(earlier)) {
        return earlier.id;
      }
      requireSuccess(change.id, earlier);
      const result = await deleteResource(deps, request, { lease, awaitedBy: lease.operationId });
      return result.kind === "accepted" ? result.operation.id : undefined;
    },
  };
}

/** What this very operation started last on the resource, in this attempt or, before a crash or a pause, in another. */
async function startedBefore(
  store: Store,
  { id, kind, lease }: { readonly id: string; readonly kind: string; readonly lease: Lease },
): Promise<Operation | undefined> {
  const [latest] = await store.operations.listFor(id, 1);
  return latest?.awaitedBy === lease.operationId && latest.kind === kind ? latest : undefined;
}

function isRunning(operation: Operation | undefined): operation is Operation {
  return operation !== undefined && operation.endedAt === undefined;
}

/** A failed change is not tried again and again. @throws ApiError the error that it ended with. */
function requireSuccess(id: string, earlier: Operation | undefined): void {
  if (earlier !== undefined && earlier.state !== "Succeeded") {
    throw operationError(id, earlier);
  }
}
