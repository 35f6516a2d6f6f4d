import type { ResourceHandler } from "../resource-handler.ts";
import type { TypePolicy } from "./type-policy.ts";

/** How long a client should wait before it asks for an operation: one without work to do has ended by then. */
export function retryAfterSeconds({ retryAfterSeconds: usual }: TypePolicy, handler: ResourceHandler = {}): number {
  const hasWork =
    handler.put !== undefined || handler.delete !== undefined || Object.keys(handler.operations ?? {}).length > 0;
  return hasWork ? usual : 1;
}
