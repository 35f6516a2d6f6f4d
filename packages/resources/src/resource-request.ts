import type { JsonValue, ResourceId } from "@rad/core";
import type { Caller } from "./caller.ts";
import type { Preconditions } from "./write/preconditions.ts";
import type { SystemData } from "./write/system-data.ts";

/**
 * A request about one resource, from HTTP or from a deployment in the same process. The caller's permission has been
 * checked.
 */
export interface ResourceRequest extends Preconditions {
  /** The resource; for an action, the resource with the action as its last segment. */
  readonly id: ResourceId;
  readonly apiVersion: string | undefined;
  readonly body: JsonValue | undefined;
  readonly caller: Caller;
  readonly correlationId: string;
  readonly traceparent: string | undefined;
  /** Recorded instead of the caller; only the front proxy may send it. */
  readonly systemData?: SystemData | undefined;
  /** Keeps values out of logs, traces and errors until the request has been answered. */
  hide(values: Iterable<string>): void;
  /** Aborts when the caller disconnects or the request times out. Created on demand. */
  signal(): AbortSignal;
}
