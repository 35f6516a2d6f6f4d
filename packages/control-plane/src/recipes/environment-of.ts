import { ApiError, objectMember, ResourceId } from "@rad/core";
import type { ScopeResource } from "@rad/radius-types";
import { environmentTypes } from "@rad/radius-types/families";
import type { Store } from "@rad/store";

export function isEnvironmentId(id: ResourceId): boolean {
  return environmentTypes.includes(id.type.toLowerCase());
}

/** @throws ApiError `NotFound` */
export async function environmentOf(store: Pick<Store, "get">, id: ResourceId): Promise<ScopeResource> {
  const document = await store.get(id.toString());
  if (document === undefined) {
    throw new ApiError("NotFound", `The environment '${id.toString()}' does not exist.`, { target: id.toString() });
  }
  return { id: ResourceId.parse(document.id), properties: objectMember(await document.parsed(), "properties") };
}
