import type { PodEvidence } from "./pod-state.ts";
import { stateOfServingPod, textOfCondition } from "./pod-state.ts";
import type { State } from "./state.ts";
import { failed, failing, ready, waiting, worstOf } from "./state.ts";
import type { Deployment, ReplicaSet } from "../views.ts";
import { conditionOf } from "../views.ts";

export interface DeploymentEvidence {
  readonly deployment: Deployment;
  /** The one that `currentReplicaSet` finds. */
  readonly replicaSet: ReplicaSet | undefined;
  /** Those of this ReplicaSet. */
  readonly pods: readonly PodEvidence[];
}

export function stateOfDeployment({ deployment, replicaSet, pods }: DeploymentEvidence): State {
  const { metadata, spec, status } = deployment;
  const progressing = conditionOf(status?.conditions, "Progressing");
  if (progressing?.reason === "ReplicaSetCreateError") {
    return failing(`its ReplicaSet cannot be created: ${textOfCondition(progressing)}`);
  }
  // Until then the revision is the one before, and its pods may be in the very trouble that this change is to cure.
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return waiting("the Deployment controller has not seen the change yet");
  }
  if (replicaSet === undefined) {
    return waiting("there is no ReplicaSet of the current revision yet");
  }
  const alive = pods.filter(({ pod }) => pod.metadata.deletionTimestamp === undefined);
  const state = worstOf(alive.map(stateOfServingPod));
  if (state.kind === "failed") {
    return state;
  }
  const refused =
    conditionOf(replicaSet.status?.conditions, "ReplicaFailure") ?? conditionOf(status?.conditions, "ReplicaFailure");
  if (refused?.status === "True") {
    const text = `pods cannot be created: ${textOfCondition(refused)}`;
    // Pods that are about to go may make room for the new ones.
    return (status?.terminatingReplicas ?? 0) > 0 ? waiting(text) : failing(text);
  }
  if (progressing?.status === "False") {
    const why = state.kind === "ready" ? "" : `; ${state.message}`;
    return failed(`it makes no progress: ${textOfCondition(progressing)}${why}`);
  }
  if (state.kind !== "ready") {
    return state;
  }
  const replicas = spec?.replicas ?? 1;
  if (alive.length < replicas) {
    return waiting(`${alive.length} of ${replicas} pods exist`);
  }
  if (progressing?.status !== "True" || progressing.reason !== "NewReplicaSetAvailable") {
    return waiting(
      spec?.paused === true
        ? "its rollout is paused"
        : `its rollout goes on: ${progressing === undefined ? "it has just begun" : textOfCondition(progressing)}`,
    );
  }
  return ready;
}

/** What upstream says after the time-out; people search for it. */
export function timeoutTextOf({ metadata, status }: Deployment): string {
  const last = status?.conditions?.at(-1);
  return `deployment timed out, name: ${metadata.name}, namespace ${metadata.namespace ?? ""}, status: ${last?.message ?? ""}, reason: ${last?.reason ?? ""}`;
}
