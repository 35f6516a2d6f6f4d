import type { JsonObject } from "@rad/core";
import { RefusedRequest, type TestCluster } from "@rad/kubernetes/testing";

/** Kinds that renderers make, by the path of their collection below a namespace. */
const collections = {
  Deployment: "/apis/apps/v1",
  Service: "/api/v1",
  ServiceAccount: "/api/v1",
  Secret: "/api/v1",
  ConfigMap: "/api/v1",
  Role: "/apis/rbac.authorization.k8s.io/v1",
  RoleBinding: "/apis/rbac.authorization.k8s.io/v1",
  HTTPProxy: "/apis/projectcontour.io/v1",
} as const;

export type ObjectKind = keyof typeof collections;

/** What every namespace has, and nobody asked for. */
const always = new Set(["ServiceAccount/default", "ConfigMap/kube-root-ca.crt"]);

/** The objects in a namespace, `Deployment/web`, sorted. */
export async function clusterObjects(cluster: TestCluster, namespace: string): Promise<readonly string[]> {
  const lists = await Promise.all(
    Object.keys(collections).map(async (kind) => {
      const path = collectionPath(kind as ObjectKind, namespace);
      const items = await itemsOf(cluster, path);
      return items.map(({ metadata }) => `${kind}/${metadata.name}`);
    }),
  );
  return lists
    .flat()
    .filter((object) => !always.has(object))
    .toSorted();
}

/** None where the cluster does not have the kind. */
async function itemsOf(cluster: TestCluster, path: string): Promise<readonly { metadata: { name: string } }[]> {
  try {
    return (await cluster.request<{ items: { metadata: { name: string } }[] }>("GET", path)).items;
  } catch (error) {
    if (error instanceof RefusedRequest && error.status === 404) {
      return [];
    }
    throw error;
  }
}

export async function clusterObject(
  cluster: TestCluster,
  kind: ObjectKind,
  namespace: string,
  name: string,
): Promise<JsonObject> {
  return await cluster.request("GET", `${collectionPath(kind, namespace)}/${name}`);
}

function collectionPath(kind: ObjectKind, namespace: string): string {
  const plural = kind === "HTTPProxy" ? "httpproxies" : `${kind.toLowerCase()}s`;
  return `${collections[kind]}/namespaces/${namespace}/${plural}`;
}
