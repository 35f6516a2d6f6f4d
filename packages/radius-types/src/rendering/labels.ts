import type { ResourceId } from "@rad/core";
import { fieldManager } from "@rad/kubernetes";

/** Keys below this prefix belong to us; nobody else's are taken over. */
export const reservedPrefix = "radapp.io/";

export type Labels = Record<string, string>;

/** What every object says about where it comes from. */
export function descriptiveLabels(resource: ResourceId, applicationName: string | undefined): Labels {
  const name = resource.name.toLowerCase();
  const application = applicationName?.toLowerCase() ?? "";
  return {
    "radapp.io/application": application,
    "radapp.io/resource": name,
    "radapp.io/resource-type": resource.type.toLowerCase().replace("/", "-"),
    "app.kubernetes.io/name": name,
    "app.kubernetes.io/part-of": application,
    "app.kubernetes.io/managed-by": fieldManager,
  };
}

/** What finds the pods of a resource. */
export function selectorLabels(resource: ResourceId, applicationName: string | undefined): Labels {
  return {
    "radapp.io/application": applicationName?.toLowerCase() ?? "",
    "radapp.io/resource": resource.name.toLowerCase(),
  };
}
