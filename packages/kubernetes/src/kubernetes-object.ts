import type { JsonObject } from "@rad/core";

/** An object as Kubernetes takes it, with at least these members. */
export type KubernetesObject = JsonObject & {
  apiVersion: string;
  kind: string;
  metadata: ObjectMetadata;
};

export type ObjectMetadata = JsonObject & {
  name: string;
  /** Absent for objects of the cluster itself. */
  namespace?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
};

/** Names an object without its version: the server knows which one it prefers. */
export interface ObjectName {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** Absent for objects of the cluster itself. */
  readonly namespace?: string | undefined;
  readonly name: string;
}

export function nameOf({ apiVersion, kind, metadata }: KubernetesObject): ObjectName {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return { group, kind, namespace: metadata.namespace, name: metadata.name };
}
