import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject, JsonValue } from "@rad/core";
import { resourceIdsOf } from "./resource-ids.ts";
import { resource, stateOf } from "./state-builder.ts";

function idsOf(type: string, values: JsonObject, more: JsonObject = {}): { ids: readonly string[]; skipped: string[] } {
  const skipped: string[] = [];
  const ids = resourceIdsOf(stateOf({ resources: [resource(type, values, more)] }), {
    onSkipped: (address, reason) => skipped.push(`${address}: ${reason}`),
  });
  return { ids, skipped };
}

it("the deployment of the seed gives the id of the seed", () => {
  const metadata = [{ name: "redis-deployment", namespace: "default" }];
  assert.deepEqual(idsOf("kubernetes_deployment", { metadata }).ids, [
    "/planes/kubernetes/local/namespaces/default/providers/apps/Deployment/redis-deployment",
  ]);
});

/** Every type of hashicorp/kubernetes 3.2.1 that creates objects, and those that version 2 had besides. */
const namespaced = `
  core/Service              service service_v1
  core/ServiceAccount       service_account service_account_v1
  core/ConfigMap            config_map config_map_v1
  core/Secret               secret secret_v1
  core/Pod                  pod pod_v1
  core/Endpoints            endpoints endpoints_v1
  core/LimitRange           limit_range limit_range_v1
  core/PersistentVolumeClaim persistent_volume_claim persistent_volume_claim_v1
  core/ReplicationController replication_controller replication_controller_v1
  core/ResourceQuota        resource_quota resource_quota_v1
  discovery.k8s.io/EndpointSlice endpoint_slice_v1
  apps/Deployment           deployment deployment_v1
  apps/DaemonSet            daemonset daemon_set_v1
  apps/StatefulSet          stateful_set stateful_set_v1
  batch/Job                 job job_v1
  batch/CronJob             cron_job cron_job_v1
  autoscaling/HorizontalPodAutoscaler horizontal_pod_autoscaler horizontal_pod_autoscaler_v1 horizontal_pod_autoscaler_v2 horizontal_pod_autoscaler_v2beta2
  rbac.authorization.k8s.io/Role role role_v1
  rbac.authorization.k8s.io/RoleBinding role_binding role_binding_v1
  networking.k8s.io/Ingress ingress ingress_v1
  networking.k8s.io/NetworkPolicy network_policy network_policy_v1
  policy/PodDisruptionBudget pod_disruption_budget pod_disruption_budget_v1`;
const clusterScoped = `
  core/Namespace            namespace namespace_v1
  core/PersistentVolume     persistent_volume persistent_volume_v1
  apiregistration.k8s.io/APIService api_service api_service_v1
  certificates.k8s.io/CertificateSigningRequest certificate_signing_request certificate_signing_request_v1
  rbac.authorization.k8s.io/ClusterRole cluster_role cluster_role_v1
  rbac.authorization.k8s.io/ClusterRoleBinding cluster_role_binding cluster_role_binding_v1
  networking.k8s.io/IngressClass ingress_class ingress_class_v1
  policy/PodSecurityPolicy  pod_security_policy pod_security_policy_v1beta1
  scheduling.k8s.io/PriorityClass priority_class priority_class_v1
  admissionregistration.k8s.io/ValidatingWebhookConfiguration validating_webhook_configuration validating_webhook_configuration_v1
  admissionregistration.k8s.io/MutatingWebhookConfiguration mutating_webhook_configuration mutating_webhook_configuration_v1
  admissionregistration.k8s.io/ValidatingAdmissionPolicy validating_admission_policy_v1
  storage.k8s.io/StorageClass storage_class storage_class_v1
  storage.k8s.io/CSIDriver  csi_driver csi_driver_v1
  node.k8s.io/RuntimeClass  runtime_class_v1`;

for (const [table, scope] of [
  [namespaced, "/namespaces/shop"],
  [clusterScoped, ""],
] as const) {
  for (const row of table.trim().split("\n")) {
    const [kind = "", ...types] = row.trim().split(/\s+/u);
    it(`group, kind and scope come from a table: ${kind}`, () => {
      for (const type of types) {
        // A namespace means nothing for what belongs to the cluster.
        const { ids } = idsOf(`kubernetes_${type}`, { metadata: [{ name: "a", namespace: "shop" }] });
        assert.deepEqual(ids, [`/planes/kubernetes/local${scope}/providers/${kind}/a`]);
      }
    });
  }
}

for (const type of [
  "labels",
  "annotations",
  "env",
  "config_map_v1_data",
  "secret_v1_data",
  "node_taint",
  "default_service_account",
  "default_service_account_v1",
  "token_request_v1",
]) {
  it(`kubernetes_${type} creates no object, and gives no id`, () => {
    const metadata = [{ name: "a", namespace: "shop" }];
    assert.deepEqual(idsOf(`kubernetes_${type}`, { metadata }), { ids: [], skipped: [] });
  });
}

for (const type of ["future_thing_v1", "nodes", "constructor", "__proto__", "_v1"]) {
  it(`the unknown type kubernetes_${type} is skipped`, () => {
    const metadata = [{ name: "a", namespace: "shop" }];
    assert.deepEqual(idsOf(`kubernetes_${type}`, { metadata }), {
      ids: [],
      skipped: [`kubernetes_${type}.x: its type is unknown`],
    });
  });
}

it("a namespace that is left out is the provider's", () => {
  for (const more of [{}, { namespace: null }, { namespace: "" }] as JsonObject[]) {
    const metadata = [{ name: "a", ...more }];
    assert.deepEqual(idsOf("kubernetes_secret", { metadata }).ids, [
      "/planes/kubernetes/local/namespaces/default/providers/core/Secret/a",
    ]);
  }
});

it("a name with colons stays as it is", () => {
  assert.deepEqual(idsOf("kubernetes_cluster_role", { metadata: [{ name: "system:reader" }] }).ids, [
    "/planes/kubernetes/local/providers/rbac.authorization.k8s.io/ClusterRole/system:reader",
  ]);
});

for (const metadata of [
  null,
  [],
  {},
  [null],
  [{ name: "" }],
  [{ name: 7 }],
  [{ name: "a/b" }],
  [{ name: "providers" }],
]) {
  it(`metadata that names no object is skipped: ${JSON.stringify(metadata)}`, () => {
    const { ids, skipped } = idsOf("kubernetes_secret", { metadata });
    assert.deepEqual(ids, []);
    assert.equal(skipped.length, 1);
  });
}

const component = {
  apiVersion: "dapr.io/v1alpha1",
  kind: "Component",
  metadata: { name: "test-dapr-pubsub", namespace: "test-dapr" },
};

for (const [what, values, id] of [
  ["of the seed", { manifest: component }, "namespaces/test-dapr/providers/dapr.io/Component/test-dapr-pubsub"],
  [
    "of version v1 is in the group core",
    { manifest: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "n" } } },
    "namespaces/n/providers/core/ConfigMap/c",
  ],
  [
    "without a namespace belongs to the cluster",
    { manifest: { apiVersion: "cert-manager.io/v1", kind: "ClusterIssuer", metadata: { name: "i" } } },
    "providers/cert-manager.io/ClusterIssuer/i",
  ],
  [
    "takes the name that the API server made",
    {
      manifest: { apiVersion: "batch/v1", kind: "Job", metadata: { generateName: "run-", namespace: "n" } },
      object: { apiVersion: "batch/v1", kind: "Job", metadata: { name: "run-x7", namespace: "n" } },
    },
    "namespaces/n/providers/batch/Job/run-x7",
  ],
  [
    "takes the namespace that the API server chose",
    {
      manifest: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } },
      object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", namespace: "default" } },
    },
    "namespaces/default/providers/core/ConfigMap/c",
  ],
] as const) {
  it(`a manifest ${what}`, () => {
    assert.deepEqual(idsOf("kubernetes_manifest", values as unknown as JsonObject), {
      ids: [`/planes/kubernetes/local/${id}`],
      skipped: [],
    });
  });
}

for (const manifest of [
  null,
  "apiVersion: v1",
  { ...component, kind: "" },
  { ...component, apiVersion: null },
  { ...component, apiVersion: "/v1" },
  { ...component, kind: "a/b" },
  { ...component, metadata: {} },
] as JsonValue[]) {
  it(`a manifest that names no object is skipped: ${JSON.stringify(manifest)}`, () => {
    const { ids, skipped } = idsOf("kubernetes_manifest", { manifest });
    assert.deepEqual(ids, []);
    assert.equal(skipped.length, 1);
  });
}

it("a name or namespace that Terraform marks as sensitive is not shown", () => {
  const metadata = [{ name: "canary-7f", namespace: "canary-8e" }];
  const manifest = { ...component, metadata: metadata[0] ?? {} };
  for (const [type, values, sensitive] of [
    ["kubernetes_secret", { metadata }, { metadata: [{ name: true }] }],
    ["kubernetes_secret", { metadata }, { metadata: [{ namespace: true }] }],
    ["kubernetes_manifest", { manifest, object: manifest }, { manifest: { metadata: { name: true } } }],
    ["kubernetes_manifest", { manifest, object: manifest }, { manifest: true }],
  ] as const) {
    const { ids, skipped } = idsOf(type, values, { sensitive_values: sensitive as unknown as JsonValue });
    assert.deepEqual(ids, []);
    assert.deepEqual(skipped, [`${type}.x: its id would show a sensitive value`]);
  }
});

it("a sensitive value beside the name does not matter", () => {
  const manifest = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", namespace: "n" },
    data: { key: "canary" },
  };
  assert.deepEqual(
    idsOf("kubernetes_manifest", { manifest }, { sensitive_values: { manifest: { data: { key: true } } } }).ids,
    ["/planes/kubernetes/local/namespaces/n/providers/core/Secret/s"],
  );
});
