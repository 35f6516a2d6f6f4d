import type { Deployment, ReplicaSet } from "./views.ts";

const revision = "deployment.kubernetes.io/revision";

/** The ReplicaSet of the Deployment's revision, among those it owns. Pods of older ones say nothing about this rollout. */
export function currentReplicaSet(deployment: Deployment, owned: readonly ReplicaSet[]): ReplicaSet | undefined {
  const current = deployment.metadata.annotations?.[revision];
  return current === undefined ? undefined : owned.find(({ metadata }) => metadata.annotations?.[revision] === current);
}
