import type { ProviderKind } from "./plan.ts";
import { deploymentsType, isDeploymentsType } from "./resource-names.ts";

/** Who answers for a resource: decided by its extension, and by its type where it has none. */
export function providerOf(extensionName: string | undefined, type: string): ProviderKind {
  const name = extensionName?.toLowerCase();
  if (name === undefined || name === "azureresourcemanager") {
    return isDeploymentsType(type) ? "deployments" : "azure";
  }
  // User-defined types come as one extension per namespace: radius + the namespace without its dots.
  if (name.startsWith("radius")) {
    return "radius";
  }
  return name === "aws" || name === "kubernetes" ? name : "other";
}

/** The same for a resource that is known by its id alone. */
export function providerOfId(id: string): ProviderKind {
  const lower = id.toLowerCase();
  if (lower.includes(`/providers/${deploymentsType.toLowerCase()}/`)) {
    return "deployments";
  }
  if (lower.startsWith("/planes/aws/")) {
    return "aws";
  }
  if (lower.startsWith("/planes/kubernetes/")) {
    return "kubernetes";
  }
  return lower.startsWith("/planes/") ? "radius" : "azure";
}
