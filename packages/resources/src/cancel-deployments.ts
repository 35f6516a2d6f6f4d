import type { CancelRequest } from "@rad/store";
import { deploymentPolicy } from "./types/type-policy.ts";

/**
 * Cancels the deployments that the handler of a cancelled operation has started. Their resources in progress finish; no
 * new ones start.
 */
export function cancelDeployments(operationId: string): CancelRequest {
  const reason = "The operation that started the deployment was canceled.";
  return { awaitedBy: operationId, queue: deploymentPolicy.queue, reason };
}
