import type { ResourceId } from "@rad/core";
import { deploymentType } from "@rad/deployments";

const typeKey = deploymentType.toLowerCase();
const below = `${typeKey}/`;

/** Whether an id is a deployment's, or of something that belongs to one. */
export function concernsDeployments(id: ResourceId): boolean {
  return id.typeKey === typeKey || id.typeKey.startsWith(below);
}
