import { openObjectTarget } from "@rad/kubernetes";
import { testCluster } from "@rad/kubernetes/testing";
import { describeSecretStores } from "../support/describe-secret-stores.ts";

describeSecretStores("cluster", async () => {
  const { kubeConfig, context } = await testCluster();
  const suffix = Date.now().toString(36);
  const target = await openObjectTarget({ kind: "kubeConfig", file: kubeConfig, context });
  return {
    target,
    kubernetes: { kubeConfig, context },
    own: (name) => `${name}-${suffix}`,
    [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
  };
});
