import type { ResourceId } from "@rad/core";
import { deploymentType } from "@rad/deployments";

/** Whether an id is a deployment's, or of something that belongs to one. */
export function concernsDeployments(id: ResourceId): boolean {
  const type = id.type.toLowerCase();
  const deployments = deploymentType.toLowerCase();
  return type === deployments || type.startsWith(`${deployments}/`);
}
