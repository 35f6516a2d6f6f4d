import type { ClusterConfig } from "./config/cluster-config.ts";
import type { Pods } from "./pods/open-pods.ts";

/** Loads what logs and port-forwarding take. @throws ApiError for a kube config that cannot be used. */
export async function openPods(config: ClusterConfig): Promise<Pods> {
  const pods = await import("./pods/open-pods.ts");
  return await pods.openPods(config);
}
