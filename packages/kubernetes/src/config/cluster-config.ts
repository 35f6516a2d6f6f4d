/** Which cluster to use. It is always named: no kube config is used because it happens to be there. */
export type ClusterConfig = KubeConfigFile | KubeConfigText | InCluster | ExplicitCluster;

export interface KubeConfigFile {
  readonly kind: "kubeConfig";
  readonly file: string;
  /** The file's current context when absent. */
  readonly context?: string | undefined;
}

/**
 * A kube config that came with a request. It may not make this process run commands, read files or speak to anything but
 * TLS, as one of the operator's may.
 */
export interface KubeConfigText {
  readonly kind: "kubeConfigText";
  readonly text: string;
  readonly context?: string | undefined;
}

/** The cluster that this process runs in, as the service account of its pod. */
export interface InCluster {
  readonly kind: "inCluster";
}

export interface ExplicitCluster {
  readonly kind: "explicit";
  /** `https://10.0.0.1:6443` */
  readonly server: string;
  /** Authorities that may sign the server's certificate, as PEM; the system's when absent. */
  readonly ca?: string | undefined;
  readonly token?: string | undefined;
}
