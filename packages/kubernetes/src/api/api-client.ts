import type { Agent } from "node:http";
import type { JsonObject } from "@rad/core";

/** Speaks to one API server, with the credentials of one kube config. */
export interface ApiClient extends Disposable {
  /** For messages: `the cluster 'kind-dev'`. */
  readonly description: string;

  /** @throws ApiError made of the server's status; `transient` when the same call may work later. */
  request(call: ApiCall): Promise<JsonObject>;

  /** As `request`, with what the body does not say. */
  exchange(call: ApiCall): Promise<ApiAnswer>;

  /** For watches and logs: the body as it arrives. Whoever stops reading closes the connection. */
  stream(call: ApiCall): Promise<AsyncIterable<Uint8Array>>;

  /** What a WebSocket to the server needs. Ask for each one anew: credentials rotate. */
  connection(options: { readonly signal: AbortSignal }): Promise<ApiConnection>;
}

export interface ApiConnection {
  /** The server's address without a slash at its end: `https://127.0.0.1:6443`. */
  readonly url: string;
  /** With the credentials, unless they are a client certificate. Never to be printed. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Knows the server's certificate authority, our client certificate and a proxy. */
  readonly agent: Agent;
}

export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the server's address: `/apis/apps/v1/namespaces/shop/deployments/web`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** `body` as JSON, from callers who have it already. */
  readonly bodyText?: string;
  /** `application/json` when absent. */
  readonly contentType?: string;
  /** For messages: `Deployment 'web' in namespace 'shop'`. */
  readonly subject?: string;
  /** How long the answer may take; for a stream, its beginning. Longer than the API server takes at most when absent. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly status: number;
  /** By the server's clock. */
  readonly date: Date;
  readonly body: JsonObject;
}
