import type { PodEvidence } from "./pod-state.ts";
import { latest, stateOfServingPod } from "./pod-state.ts";
import type { State } from "./state.ts";
import { failing, ready, waiting, worstOf } from "./state.ts";
import type { DaemonSet, Event, StatefulSet } from "../views.ts";

export interface SetEvidence<View> {
  readonly set: View;
  readonly pods: readonly PodEvidence[];
  /** Warnings about the set itself since its last change. */
  readonly events: readonly Event[];
}

const revisionHash = "controller-revision-hash";

export function stateOfStatefulSet({ set, pods, events }: SetEvidence<StatefulSet>): State {
  const { metadata, spec, status } = set;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return waiting("the StatefulSet controller has not seen the change yet");
  }
  const replicas = spec?.replicas ?? 1;
  const current = pods.filter(({ pod }) => pod.metadata.labels?.[revisionHash] === status?.updateRevision);
  const trouble = troubleOf({ pods: current, events, missing: pods.length < replicas });
  if (trouble !== undefined) {
    return trouble;
  }
  const readyReplicas = status?.readyReplicas ?? 0;
  if (readyReplicas < replicas) {
    return waiting(`${readyReplicas} of ${replicas} pods are ready`);
  }
  if (spec?.updateStrategy?.type === "OnDelete") {
    return ready;
  }
  const partition = spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  const toUpdate = Math.max(0, replicas - partition);
  const updated = status?.updatedReplicas ?? 0;
  if (updated < toUpdate || (partition === 0 && status?.updateRevision !== status?.currentRevision)) {
    return waiting(`${updated} of ${toUpdate} pods are of the new revision`);
  }
  return ready;
}

export function stateOfDaemonSet({ set, pods, events }: SetEvidence<DaemonSet>): State {
  const { metadata, spec, status } = set;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return waiting("the DaemonSet controller has not seen the change yet");
  }
  const desired = status?.desiredNumberScheduled ?? 0;
  const updated = spec?.updateStrategy?.type === "OnDelete" ? desired : (status?.updatedNumberScheduled ?? 0);
  const trouble = troubleOf({
    pods: updated === 0 ? [] : ofNewestRevision(pods),
    events,
    missing: pods.length < desired,
  });
  if (trouble !== undefined) {
    return trouble;
  }
  const available = status?.numberAvailable ?? 0;
  if (updated < desired) {
    return waiting(`${updated} of ${desired} pods are of the new revision`);
  }
  return available < desired ? waiting(`${available} of ${desired} pods are available`) : ready;
}

interface Troubles {
  readonly pods: readonly PodEvidence[];
  readonly events: readonly Event[];
  /** Fewer pods exist than should, so a refusal to create one still counts. */
  readonly missing: boolean;
}

function troubleOf({ pods, events, missing }: Troubles): State | undefined {
  const state = worstOf(pods.filter(({ pod }) => pod.metadata.deletionTimestamp === undefined).map(stateOfServingPod));
  if (state.kind === "failed") {
    return state;
  }
  const refused = missing ? latest(events.filter(({ reason }) => reason === "FailedCreate")) : undefined;
  if (refused !== undefined) {
    return failing(`pods cannot be created: FailedCreate: ${refused.message ?? ""}`);
  }
  return state.kind === "ready" ? undefined : state;
}

/** A DaemonSet's status does not name its revision; its newest pod has it. */
function ofNewestRevision(pods: readonly PodEvidence[]): readonly PodEvidence[] {
  const timeOf = ({ pod }: PodEvidence): string => pod.metadata.creationTimestamp ?? "";
  const newest = pods.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))[0];
  return pods.filter(({ pod }) => pod.metadata.labels?.[revisionHash] === newest?.pod.metadata.labels?.[revisionHash]);
}
