import { ClientError } from "@rad/client";

/** Whether a control plane is away for a moment, for example restarting. */
export function isOutage(error: unknown): boolean {
  return error instanceof ClientError && error.isOutage;
}
