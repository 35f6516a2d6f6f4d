import { testCluster } from "@rad/kubernetes/testing";
import { describeCanaries } from "./canaries.ts";

describeCanaries("cluster", async () => {
  const cluster = await testCluster();
  const list = async (namespace: string, resource: string): Promise<{ items: { data?: Record<string, string> }[] }> => {
    const group = ["deployments", "replicasets"].includes(resource) ? "/apis/apps/v1" : "/api/v1";
    return await cluster.request("GET", `${group}/namespaces/${namespace}/${resource}`);
  };
  return {
    kubernetes: { kubeConfig: cluster.kubeConfig },
    namespace: await cluster.namespace("canaries"),
    others: async (namespace) => {
      const kinds = ["deployments", "replicasets", "pods", "services", "serviceaccounts", "configmaps", "events"];
      return JSON.stringify(await Promise.all(kinds.map((kind) => list(namespace, kind))));
    },
    secretValues: async (namespace) => {
      const { items } = await list(namespace, "secrets");
      return items.flatMap(({ data = {} }) => Object.values(data).map(atob));
    },
    [Symbol.asyncDispose]: async () => {},
  };
});
