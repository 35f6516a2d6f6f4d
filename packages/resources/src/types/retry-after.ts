import type { ResourceHandler } from "../resource-handler.ts";
import type { TypePolicy } from "./type-policy.ts";

/** How long a client should wait before it asks for an operation: one without work to do has ended by then. */
export function retryAfterSeconds({ retryAfterSeconds: usual }: TypePolicy, handler: ResourceHandler = {}): number {
  return hasWork(handler) ? usual : 1;
}

/** Whether a handler does anything about the resources of its type besides looking at them. */
export function hasWork(handler: ResourceHandler): boolean {
  const operations = Object.keys(handler.operations ?? {});
  return handler.put !== undefined || handler.delete !== undefined || operations.length > 0;
}
