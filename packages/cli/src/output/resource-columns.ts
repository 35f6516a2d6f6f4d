import type { ResourceBody } from "@rad/client";
import { objectMember } from "@rad/core/json";
import { ResourceId } from "@rad/core/resource-id";
import type { Column } from "./table-layout.ts";

/** How any resource is listed. */
export const resourceColumns: readonly Column<ResourceBody>[] = [
  { heading: "RESOURCE", value: (resource) => resource.name },
  { heading: "TYPE", value: (resource) => resource.type },
  { heading: "GROUP", value: (resource) => groupCell(resource.id) },
  { heading: "STATE", value: (resource) => stateOf(resource) },
];

function groupCell(id: string): string {
  const parsed = ResourceId.tryParse(id);
  return parsed === undefined ? "<error>" : (parsed.resourceGroup ?? "");
}

function stateOf(resource: ResourceBody): string {
  const state = objectMember(resource, "properties")["provisioningState"];
  return typeof state === "string" ? state : "";
}
