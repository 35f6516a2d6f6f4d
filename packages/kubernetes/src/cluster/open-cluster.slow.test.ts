import { randomBytes } from "node:crypto";
import { testCluster } from "@rad/kubernetes/testing";
import { describeObjectTarget } from "../testing/object-target-contract.ts";
import { openCluster } from "./open-cluster.ts";

describeObjectTarget("a cluster", async () => {
  const cluster = await testCluster();
  const open = async () => await openCluster({ kind: "kubeConfig", file: cluster.kubeConfig });
  const target = await open();
  return {
    target,
    reopen: open,
    namespace: () => `contract-${randomBytes(5).toString("hex")}`,
    meddle: async ({ namespace, name }, key, value) => {
      const path = `/api/v1/namespaces/${namespace}/configmaps/${name}?fieldManager=somebody-else`;
      await cluster.request("PATCH", path, { data: { [key]: value } }, { contentType: "application/merge-patch+json" });
    },
    [Symbol.asyncDispose]: async () => await target[Symbol.asyncDispose](),
  };
});
