import { ApiError } from "@rad/core";
import type { ClusterConfig } from "../config/cluster-config.ts";
import type { ObjectTarget } from "../object-target.ts";

/** Speaks to a cluster. */
export async function openCluster(config: ClusterConfig): Promise<ObjectTarget & AsyncDisposable> {
  throw await Promise.resolve(new ApiError("BadRequest", `Clusters (${config.kind}) cannot be opened yet.`));
}
