import type { JsonObject } from "@rad/core";

/** How Terraform reaches the cluster of the control plane. */
export type ClusterAccess =
  | { readonly kind: "kubeConfig"; readonly file: string; readonly context?: string | undefined }
  /** Host and port as Kubernetes gives them to a pod. */
  | { readonly kind: "inCluster"; readonly host: string; readonly port: string }
  | {
      readonly kind: "explicit";
      readonly server: string;
      readonly ca?: string | undefined;
      readonly token?: string | undefined;
    };

/** The arguments that backend and provider share. A token is not among them. */
export function clusterArguments(access: ClusterAccess): JsonObject {
  switch (access.kind) {
    case "kubeConfig":
      return {
        config_path: access.file,
        ...(access.context !== undefined && { config_context: access.context }),
      };
    case "explicit":
      return { host: access.server, ...(access.ca !== undefined && { cluster_ca_certificate: access.ca }) };
    case "inCluster":
      return {};
    default:
      return access satisfies never;
  }
}

/** What client libraries of Kubernetes look for in a pod; a run does not inherit it. */
export function clusterVariables(access: ClusterAccess): Record<string, string> {
  return access.kind === "inCluster"
    ? { KUBERNETES_SERVICE_HOST: access.host, KUBERNETES_SERVICE_PORT: access.port }
    : {};
}
