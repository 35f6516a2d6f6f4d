import type { ObjectName } from "@rad/kubernetes";

/** Kinds of Kubernetes itself, and of the Gateway API, that have no namespace. */
const kinds: ReadonlySet<string> = new Set([
  "/Namespace",
  "/Node",
  "/PersistentVolume",
  "admissionregistration.k8s.io/MutatingAdmissionPolicy",
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/MutatingWebhookConfiguration",
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
  "apiextensions.k8s.io/CustomResourceDefinition",
  "apiregistration.k8s.io/APIService",
  "certificates.k8s.io/CertificateSigningRequest",
  "flowcontrol.apiserver.k8s.io/FlowSchema",
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration",
  "gateway.networking.k8s.io/GatewayClass",
  "networking.k8s.io/IngressClass",
  "node.k8s.io/RuntimeClass",
  "rbac.authorization.k8s.io/ClusterRole",
  "rbac.authorization.k8s.io/ClusterRoleBinding",
  "scheduling.k8s.io/PriorityClass",
  "storage.k8s.io/CSIDriver",
  "storage.k8s.io/CSINode",
  "storage.k8s.io/StorageClass",
  "storage.k8s.io/VolumeAttachment",
]);

/** A template that names no namespace gets the one of its extension, unless the kind has none. */
export function isClusterScoped({ group, kind }: Pick<ObjectName, "group" | "kind">): boolean {
  return kinds.has(`${group}/${kind}`);
}
