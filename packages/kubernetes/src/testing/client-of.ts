import type { ApiClient } from "../api/api-client.ts";
import { createApiClient } from "../api/http-api-client.ts";
import { resolveConnection } from "../config/resolve-connection.ts";

/** A client as the administrator of a test cluster, or whoever else the kube config names. */
export async function clientOf({ kubeConfig }: { readonly kubeConfig: string }): Promise<ApiClient> {
  return createApiClient(await resolveConnection({ kind: "kubeConfig", file: kubeConfig }));
}
