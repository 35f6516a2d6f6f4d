import type { JsonValue, ResourceId } from "@rad/core";
import type { Caller } from "../identity/index.ts";
import type { Conditions } from "../resources/conditions.ts";

/** One authenticated call, free of HTTP: what the services behind the API need to know about it. */
export interface ApiRequest extends Conditions {
  readonly method: string;
  /** What the URL names. For a POST the last segment is the action. */
  readonly id: ResourceId;
  readonly apiVersion: string | undefined;
  /** A parameter of the query; the first when it is there more than once. */
  parameter(name: string): string | undefined;
  readonly body: JsonValue | undefined;
  readonly caller: Caller;
  readonly correlationId: string;
  readonly traceparent: string | undefined;
  /** `X-Ms-Arm-Resource-System-Data`; counts only from a caller that may speak for others. */
  readonly systemDataHeader: string | undefined;
  /** How long the answer may be put off while an operation is under way; `undefined` when the caller did not say. */
  readonly waitSeconds: number | undefined;
  /** Scheme, host and base path that the caller used: what absolute links start with. */
  readonly linkBase: string;
  /** Keeps values out of logs, traces and errors until the request has been answered. */
  hide(values: Iterable<string>): void;
  /** Tells how long the answer was put off because the caller asked for that; it does not count as slow. */
  wasPutOff(ms: number): void;
  /** Aborts when the caller hangs up. */
  hangUp(): AbortSignal;
  /** Aborts when the caller hangs up or the request takes too long. Made on demand, since few ask for it. */
  signal(): AbortSignal;
}
