import assert from "node:assert/strict";
import { before, it } from "node:test";
import { testCluster } from "../shared-test-cluster.ts";
import { TestCluster } from "../test-cluster.ts";
import { crdModules } from "./crd-modules.ts";
import type { CrdProduct } from "./crd-modules.ts";

const examples: Record<CrdProduct, { plural: string; object: object }> = {
  contour: {
    plural: "httpproxies",
    object: { apiVersion: "projectcontour.io/v1", kind: "HTTPProxy", spec: { virtualhost: { fqdn: "a.example" } } },
  },
  dapr: {
    plural: "components",
    object: {
      apiVersion: "dapr.io/v1alpha1",
      kind: "Component",
      spec: { type: "state.redis", version: "v1", metadata: [] },
    },
  },
  "secrets-store": {
    plural: "secretproviderclasses",
    object: { apiVersion: "secrets-store.csi.x-k8s.io/v1", kind: "SecretProviderClass", spec: { provider: "azure" } },
  },
  "gateway-api": {
    plural: "httproutes",
    object: { apiVersion: "gateway.networking.k8s.io/v1", kind: "HTTPRoute", spec: { hostnames: ["a.example"] } },
  },
};

let cluster: TestCluster;
before(async () => {
  cluster = await testCluster({ apiServerOnly: true });
});

for (const product of Object.keys(crdModules) as CrdProduct[]) {
  it(`serves the kinds of ${product} ${crdModules[product].version}, and validates them`, async () => {
    const { plural, object } = examples[product];
    const namespace = await cluster.namespace("crds");
    const ofAnotherFile = new TestCluster(cluster.description, cluster.hasPods);
    await Promise.all([cluster.install(product), ofAnotherFile.install(product)]);
    const apiVersion = (object as { apiVersion: string }).apiVersion;
    const path = `/apis/${apiVersion}/namespaces/${namespace}/${plural}?fieldValidation=Strict`;

    await cluster.request("POST", path, { ...object, metadata: { name: "right" } });

    const wrong = { ...object, metadata: { name: "wrong" }, spec: "none" };
    await assert.rejects(cluster.request("POST", path, wrong), { status: 422, reason: "Invalid" });
  });
}
