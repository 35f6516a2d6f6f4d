import { isJsonObject } from "@rad/core";
import type { ApiClient } from "../api/api-client.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { viewOf } from "../views.ts";

export interface PodSelection {
  readonly namespace: string;
  /** A label selector: `radapp.io/application=shop,radapp.io/resource=web`. */
  readonly selector: string;
  readonly signal: AbortSignal;
}

export interface RunningPod {
  readonly name: string;
  readonly containers: readonly string[];
}

/** The selected pods that run and are not about to go, the newest first. */
export async function runningPods(client: ApiClient, options: PodSelection): Promise<RunningPod[]> {
  const { namespace, selector, signal } = options;
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const { items } = await client.request({ method: "GET", path, query: { labelSelector: selector }, signal });
  return (Array.isArray(items) ? items : [])
    .filter(isJsonObject)
    .map((item) => viewOf(item as KubernetesObject, "Pod"))
    .filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase === "Running")
    .toSorted((a, b) => (b.metadata.creationTimestamp ?? "").localeCompare(a.metadata.creationTimestamp ?? ""))
    .map(({ metadata, spec }) => ({
      name: metadata.name,
      containers: (spec?.containers ?? []).map(({ name }) => name),
    }));
}
