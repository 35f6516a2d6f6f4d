import type { JsonObject } from "@rad/core";

/** Speaks to one API server, with the credentials of one kube config. */
export interface ApiClient extends Disposable {
  /** For messages: `the cluster 'kind-dev'`. */
  readonly description: string;

  /** @throws ApiError made of the server's status; `transient` when the same call may work later. */
  request(call: ApiCall): Promise<JsonObject>;

  /** For watches and logs: the body as it arrives. */
  stream(call: ApiCall): Promise<AsyncIterable<Uint8Array>>;
}

export interface ApiCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the server's address: `/apis/apps/v1/namespaces/shop/deployments/web`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** `application/json` when absent. */
  readonly contentType?: string;
  readonly signal: AbortSignal;
}
