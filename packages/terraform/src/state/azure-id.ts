import { ResourceId } from "@rad/core";
import { derivedId, sensitiveId } from "./derived-id.ts";
import type { DerivedId } from "./derived-id.ts";
import { isSensitive, textAt } from "./state-resource.ts";
import type { StateResource } from "./state-resource.ts";

/**
 * The ARM id of a resource of `azurerm`, as the provider wrote it. What is not a resource of ARM has another id: URLs
 * of data planes, plain names, ids of two resources joined with `|`; resource groups and subscriptions are scopes.
 */
export function azureId(resource: StateResource): DerivedId {
  const id = textAt(resource, "id");
  if (id === undefined) {
    return { skipped: "it has no id" };
  }
  if (isSensitive(resource, "id")) {
    return sensitiveId;
  }
  if (id.includes("|")) {
    return { skipped: "its id is composed of the ids of other resources" };
  }
  const parsed = ResourceId.tryParse(id);
  if (parsed === undefined || parsed.isUcp) {
    return { skipped: "its id is not an ARM resource id" };
  }
  if (parsed.provider === undefined) {
    return { skipped: "its id is that of a scope, not of a resource" };
  }
  return derivedId(id, "its id is not an ARM resource id");
}
