/** What a resource type of the Terraform provider creates in a cluster. */
export interface KubernetesKind {
  readonly group: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
}

/** The kind for a type such as `kubernetes_deployment_v1`; the end names the version only. */
export function kubernetesKind(terraformType: string): KubernetesKind | undefined {
  return kinds.get(terraformType.replace(/^kubernetes_/u, "").replace(/_v\d+(?:(?:alpha|beta)\d+)?$/u, ""));
}

/** Types that edit an object of somebody else, or create none. */
export function createsNoObject(terraformType: string): boolean {
  return /^kubernetes_(?:labels|annotations|env|node_taint|\w+_data|default_service_account\w*|token_request\w*)$/u.test(
    terraformType,
  );
}

const namespaced: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  core: {
    service: "Service",
    service_account: "ServiceAccount",
    config_map: "ConfigMap",
    secret: "Secret",
    pod: "Pod",
    endpoints: "Endpoints",
    limit_range: "LimitRange",
    persistent_volume_claim: "PersistentVolumeClaim",
    replication_controller: "ReplicationController",
    resource_quota: "ResourceQuota",
  },
  "discovery.k8s.io": { endpoint_slice: "EndpointSlice" },
  apps: {
    deployment: "Deployment",
    daemonset: "DaemonSet",
    daemon_set: "DaemonSet",
    stateful_set: "StatefulSet",
  },
  batch: { job: "Job", cron_job: "CronJob" },
  autoscaling: { horizontal_pod_autoscaler: "HorizontalPodAutoscaler" },
  "rbac.authorization.k8s.io": { role: "Role", role_binding: "RoleBinding" },
  "networking.k8s.io": { ingress: "Ingress", network_policy: "NetworkPolicy" },
  policy: { pod_disruption_budget: "PodDisruptionBudget" },
};

const clusterScoped: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  core: { namespace: "Namespace", persistent_volume: "PersistentVolume" },
  "apiregistration.k8s.io": { api_service: "APIService" },
  "certificates.k8s.io": { certificate_signing_request: "CertificateSigningRequest" },
  "rbac.authorization.k8s.io": { cluster_role: "ClusterRole", cluster_role_binding: "ClusterRoleBinding" },
  "networking.k8s.io": { ingress_class: "IngressClass" },
  policy: { pod_security_policy: "PodSecurityPolicy" },
  "scheduling.k8s.io": { priority_class: "PriorityClass" },
  "admissionregistration.k8s.io": {
    validating_webhook_configuration: "ValidatingWebhookConfiguration",
    mutating_webhook_configuration: "MutatingWebhookConfiguration",
    validating_admission_policy: "ValidatingAdmissionPolicy",
  },
  "storage.k8s.io": { storage_class: "StorageClass", csi_driver: "CSIDriver" },
  "node.k8s.io": { runtime_class: "RuntimeClass" },
};

const kinds: ReadonlyMap<string, KubernetesKind> = new Map([...rows(namespaced, true), ...rows(clusterScoped, false)]);

function rows(
  groups: Readonly<Record<string, Readonly<Record<string, string>>>>,
  isNamespaced: boolean,
): [string, KubernetesKind][] {
  return Object.entries(groups).flatMap(([group, types]) =>
    Object.entries(types).map(([type, kind]): [string, KubernetesKind] => [type, { group, kind, isNamespaced }]),
  );
}
