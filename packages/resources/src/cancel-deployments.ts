import type { CancelRequest } from "@rad/store";
import { deploymentPolicy } from "./types/type-policy.ts";

/**
 * Nobody waits any more for the deployments that the handler of a cancelled operation has started. They wait for what
 * they have started themselves, and start nothing new.
 */
export function cancelDeployments(operationId: string): CancelRequest {
  const reason = "The operation that started the deployment was canceled.";
  return { awaitedBy: operationId, queue: deploymentPolicy.queue, reason };
}
