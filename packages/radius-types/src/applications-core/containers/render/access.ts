import type { KubernetesPart } from "../../../rendering/renderer.ts";
import { mergedMetadata } from "../../../rendering/metadata.ts";
import { identityLabel } from "./identity.ts";
import { blank, objectOf } from "./workload.ts";
import type { Workload } from "./workload.ts";

const rbac = "rbac.authorization.k8s.io";

/** Who the container's pods are: a ServiceAccount that may read the Secrets of its namespace. */
export function accessParts(workload: Workload, hasIdentity: boolean): KubernetesPart[] {
  const { name, labels } = workload;
  const role = objectOf(
    workload,
    blank(`${rbac}/v1`, "Role"),
    { labels },
    {
      rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "list"] }],
    },
  );
  const binding = objectOf(
    workload,
    blank(`${rbac}/v1`, "RoleBinding"),
    { labels },
    {
      roleRef: { apiGroup: rbac, kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name }],
    },
  );
  return [
    serviceAccount(workload, hasIdentity),
    { platform: "kubernetes", localId: "KubernetesRole", object: role },
    {
      platform: "kubernetes",
      localId: "KubernetesRoleBinding",
      dependsOn: ["ServiceAccount", "KubernetesRole"],
      object: binding,
    },
  ];
}

function serviceAccount(workload: Workload, hasIdentity: boolean): KubernetesPart {
  const { labels, inherited } = workload;
  const base = workload.base.serviceAccount ?? blank("v1", "ServiceAccount");
  const metadata = mergedMetadata(
    {
      labels: { ...base.metadata.labels, ...labels, ...(hasIdentity ? identityLabel : {}) },
      // What the identity is called in Azure is known once it is there.
      annotations: {
        ...base.metadata.annotations,
        ...(hasIdentity
          ? { "azure.workload.identity/client-id": "placeholder", "azure.workload.identity/tenant-id": "placeholder" }
          : {}),
      },
    },
    inherited,
  );
  return {
    platform: "kubernetes",
    localId: "ServiceAccount",
    ...(hasIdentity ? { dependsOn: ["FederatedIdentity"] } : {}),
    object: objectOf(workload, base, metadata, {}),
  };
}
