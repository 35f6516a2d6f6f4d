/** What a running cluster says about itself. */
export interface ClusterDescription {
  /** Path of a kube config; its current context is an administrator. */
  readonly kubeConfig: string;
  /** Name of that context. */
  readonly context: string;
  readonly url: string;
  /** Path of the certificate authority in PEM. */
  readonly caFile: string;
  /** The administrator's. */
  readonly token: string;
  /** Path of the audit log: JSON lines, level `Metadata`, without requests of the cluster's own components. */
  readonly auditLog: string;
  /** The API server's own, for servers that stand in for it, such as a proxy. */
  readonly serverCertFile: string;
  readonly serverKeyFile: string;
}
