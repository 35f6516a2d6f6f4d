import type { Caller } from "./caller.ts";

/** On whose behalf something is done, while the request is answered and long after. */
export interface Requester {
  readonly caller: Caller;
  readonly correlationId: string;
  readonly traceparent: string | undefined;
  /** Keeps values out of logs, traces and errors until the work ends. */
  hide(values: Iterable<string>): void;
}
