import { nameOf, openObjectTarget } from "@rad/kubernetes";
import { testCluster } from "@rad/kubernetes/testing";
import { describeSecretStores } from "../support/describe-secret-stores.ts";

describeSecretStores("cluster", async () => {
  const cluster = await testCluster();
  const { kubeConfig, context } = cluster;
  const suffix = Date.now().toString(36);
  const own = (name: string): string => `${name}-${suffix}`;
  const target = await openObjectTarget({ kind: "kubeConfig", file: kubeConfig, context });
  const metadata = { name: own("others") };
  await cluster.request("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata });
  return {
    target,
    kubernetes: { kubeConfig, context },
    own,
    make: async (secret) => {
      const path = `/api/v1/namespaces/${secret.metadata.namespace ?? ""}/secrets`;
      const present = await target.read(nameOf(secret), { signal: AbortSignal.timeout(60_000) });
      return present === undefined
        ? await cluster.request("POST", path, secret)
        : await cluster.request("PUT", `${path}/${secret.metadata.name}`, secret);
    },
    [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
  };
});
