import type { ResourceRequest } from "@rad/resources";

/** One authenticated call over HTTP, as the code that answers it sees it. */
export interface ApiRequest extends ResourceRequest {
  readonly method: string;
  /** A parameter of the query; the first when it is there more than once. */
  parameter(name: string): string | undefined;
  /** How long the answer may be put off while an operation is under way; `undefined` when the caller did not say. */
  readonly waitSeconds: number | undefined;
  readonly accept: string | undefined;
  /** Where a stream of events is to go on. */
  readonly lastEventId: string | undefined;
  /** Scheme, host and base path that the caller used: what absolute links start with. */
  readonly linkBase: string;
  /** Reports how long the caller was kept waiting on their own wish; that time does not count as slow. */
  reportWait(ms: number): void;
  /** Aborts when the caller disconnects. */
  disconnected(): AbortSignal;
  /** Cuts the connection, whatever is still on its way. */
  hangUp(): void;
}
