import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { systemClock } from "@rad/core";
import { recordAfterwards } from "@rad/deployments";
import { describeDeploymentTarget } from "@rad/deployments/testing";
import { testCluster } from "@rad/kubernetes/testing";
import { openTemporaryStore } from "@rad/store/testing";
import { KubernetesTarget } from "./kubernetes-target.ts";
import { ObjectTargets } from "./object-targets.ts";

const can = { keepKeys: false, workLater: false, findByProperties: true };

const group = "contract.example.com";
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `boxes.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind: "Box", plural: "boxes", singular: "box" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { properties: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
    ],
  },
};

describeDeploymentTarget("extension kubernetes on a cluster", can, async () => {
  const cluster = await testCluster();
  const store = await openTemporaryStore();
  const namespace = await cluster.namespace("contract");
  const targets = clusterTargets(cluster.kubeConfig);
  const open = () => recordAfterwards(new KubernetesTarget(targets), { store, clock: systemClock });
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/boxes.${group}?fieldManager=test&force=true`;
  await cluster.request("PATCH", path, definition, { contentType: "application/apply-patch+yaml" });
  await untilServed(() => cluster.request("GET", `/apis/${group}/v1/namespaces/${namespace}/boxes`));
  return {
    target: open(),
    store,
    reopen: open,
    sample: (name, { course, properties, secret = "" }) => ({
      type: `${group}/Box`,
      apiVersion: "v1",
      id: undefined,
      name: undefined,
      extension: { name: "Kubernetes", version: "1.0.0", config: { namespace } },
      body: {
        apiVersion: `${group}/v1`,
        kind: "Box",
        metadata: { name },
        properties: { ...properties, pin: secret },
        ...(course === "refused" ? { unknown: secret } : {}),
      },
      secrets: course === "refused" ? ["/properties/pin", "/unknown"] : ["/properties/pin"],
    }),
    [Symbol.asyncDispose]: async () => {
      await targets[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
});

it("a kube config of the template leads to its cluster, as it is or in Base64", async () => {
  const cluster = await testCluster();
  const namespace = await cluster.namespace("brought");
  const kubeConfig = await readFile(cluster.kubeConfig, "utf8");
  await using targets = new ObjectTargets({
    kubeConfig: undefined,
    context: undefined,
    inCluster: false,
    manifests: "/nowhere",
  });
  const { signal } = new AbortController();
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one", namespace }, data: { a: "b" } };

  const plain = await targets.ofTemplate({ kubeConfig, context: undefined });
  const encoded = await targets.ofTemplate({
    kubeConfig: Buffer.from(kubeConfig).toString("base64"),
    context: cluster.context,
  });
  const created = await plain.apply(object, { signal });
  const found = await encoded.read({ group: "", kind: "ConfigMap", namespace, name: "one" }, { signal });

  assert.deepEqual([created.change, found?.["data"]], ["created", { a: "b" }]);
  await assert.rejects(targets.ofTemplate({ kubeConfig, context: "missing" }), { code: "BadRequest" });
});

function clusterTargets(kubeConfig: string): ObjectTargets {
  return new ObjectTargets({ kubeConfig, context: undefined, inCluster: false, manifests: "/nowhere" });
}

async function untilServed(look: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 30_000;
  for (;;) {
    try {
      await look();
      return;
    } catch (error) {
      if (performance.now() > end) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
