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

  /** For connections that are not requests, such as WebSockets: who to speak to, and how. */
  endpoint(): Promise<ApiEndpoint>;
}

export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the server's address: `/apis/apps/v1/namespaces/shop/deployments/web`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
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

export interface ApiEndpoint {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Has the certificates and the proxy. It is not limited in its connections. */
  readonly agent: Agent;
}
