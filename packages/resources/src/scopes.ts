import { ApiError, ResourceId } from "@rad/core";
import type { Guard, Store } from "@rad/store";

/** The plane, or the group, that a resource lives in must exist when it is written. */
export function scopeGuards(id: ResourceId): Guard[] {
  if (id.provider !== undefined) {
    return [{ kind: "exists", id: id.rootScope }];
  }
  return id.scopes.length > 1 ? [{ kind: "exists", id: id.planeScope }] : [];
}

/** Why a resource cannot be found: there is none, or the plane or group that it would be in is missing. */
export async function resourceNotFound(store: Store, id: ResourceId): Promise<ApiError> {
  await requireScopes(store, id);
  return notFound("resource", id);
}

/** @throws ApiError `NotFound` naming the plane or group that is missing. */
export async function requireScopes(store: Store, id: ResourceId): Promise<void> {
  const scopes = id.provider === undefined ? id.scopes.slice(0, -1) : id.scopes;
  for (let length = 1; length <= scopes.length; length += 1) {
    const scope = new ResourceId(id.isUcp, scopes.slice(0, length));
    if ((await store.get(scope.toString())) === undefined) {
      throw notFound(length === 1 ? "plane" : "resource group", scope);
    }
  }
}

/** @throws ApiError `NotFound` for a collection below a resource that does not exist. */
export async function requireParent(store: Store, id: ResourceId): Promise<void> {
  const parent = id.truncate();
  if (!parent.equals(id) && (await store.get(parent.toString())) === undefined) {
    throw notFound("resource", parent);
  }
}

function notFound(kind: string, id: ResourceId): ApiError {
  return new ApiError("NotFound", `The ${kind} '${id.toString()}' does not exist.`, { target: id.toString() });
}
