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
  return notFound(id);
}

/** Clients of upstream compare these texts. @param missing the plane or group that is not there. */
export function notFound(id: ResourceId, missing?: ResourceId): ApiError {
  const kind = missing?.resourceGroup === undefined ? "plane" : "resource group";
  const cause = missing === undefined ? "" : `: ${kind} "${missing.toString()}" not found`;
  const target = (missing ?? id).toString();
  return new ApiError("NotFound", `the resource with id '${id.toString()}' was not found${cause}`, { target });
}

/** @throws ApiError `NotFound` naming the plane or group that is missing. */
export async function requireScopes(store: Store, id: ResourceId): Promise<void> {
  const scopes = id.provider === undefined ? id.scopes.slice(0, -1) : id.scopes;
  for (let length = 1; length <= scopes.length; length += 1) {
    const scope = new ResourceId(id.isUcp, scopes.slice(0, length));
    if ((await store.get(scope.toString())) === undefined) {
      throw notFound(id, scope);
    }
  }
}

/** @throws ApiError `NotFound` for a collection below a resource that does not exist. */
export async function requireParent(store: Store, id: ResourceId): Promise<void> {
  const isTopLevel = id.truncate().equals(id);
  const parent = isTopLevel ? (id.extended ?? id) : id.truncate();
  if (!parent.equals(id) && (await store.get(parent.toString())) === undefined) {
    throw notFound(parent);
  }
}
