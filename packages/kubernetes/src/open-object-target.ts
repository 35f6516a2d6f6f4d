import type { ClusterConfig } from "./config/cluster-config.ts";
import type { ObjectTarget } from "./object-target.ts";

export type ObjectTargetConfig = ClusterConfig | ManifestsFolder;

export interface ManifestsFolder {
  readonly kind: "folder";
  readonly path: string;
}

/**
 * Loads what the target takes, and only that. No connection is made before the first call.
 * @throws ApiError for a kube config that cannot be used, with the names of the contexts that there are.
 */
export async function openObjectTarget(config: ObjectTargetConfig): Promise<ObjectTarget & AsyncDisposable> {
  if (config.kind === "folder") {
    const { openFolder } = await import("./folder/open-folder.ts");
    return openFolder(config.path);
  }
  const { openCluster } = await import("./cluster/open-cluster.ts");
  return await openCluster(config);
}
