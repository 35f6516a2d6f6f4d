import type { JsonValue, ResourceId } from "@rad/core";
import type { Caller } from "./caller.ts";
import type { Preconditions } from "./write/preconditions.ts";
import type { SystemData } from "./write/system-data.ts";

/**
 * What somebody asks of one resource, whichever way it came: over HTTP, or from a deployment in the same process.
 * Whoever hands it on has checked that the caller may.
 */
export interface ResourceRequest extends Preconditions {
  /** The resource; for an action, the resource with the action as its last segment. */
  readonly id: ResourceId;
  readonly apiVersion: string | undefined;
  readonly body: JsonValue | undefined;
  readonly caller: Caller;
  readonly correlationId: string;
  readonly traceparent: string | undefined;
  /** Whom to put on record instead of the caller, from a caller that may speak for others. */
  readonly systemData?: SystemData | undefined;
  /** Keeps values out of logs, traces and errors until the request has been answered. */
  hide(values: Iterable<string>): void;
  /** Aborts when nobody waits for the answer any more. Made on demand, since few ask for it. */
  signal(): AbortSignal;
}
