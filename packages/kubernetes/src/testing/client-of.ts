import type { ApiClient } from "../api/api-client.ts";
import { createApiClient } from "../api/http-api-client.ts";
import { openCluster } from "../cluster/open-cluster.ts";
import { resolveConnection } from "../config/resolve-connection.ts";
import type { ObjectTarget } from "../object-target.ts";

interface HasKubeConfig {
  readonly kubeConfig: string;
}

/** A client as the administrator of a test cluster, or whoever else the kube config names. */
export async function clientOf({ kubeConfig }: HasKubeConfig): Promise<ApiClient> {
  return createApiClient(await resolveConnection({ kind: "kubeConfig", file: kubeConfig }));
}

export async function targetOf({ kubeConfig }: HasKubeConfig): Promise<ObjectTarget & AsyncDisposable> {
  return await openCluster({ kind: "kubeConfig", file: kubeConfig });
}
