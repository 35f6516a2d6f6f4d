import type { State } from "./state.ts";
import { failed, failing, ready, waiting, worstOf } from "./state.ts";
import type { Condition, ContainerStatus, Event, Pod, Terminated } from "../views.ts";
import { conditionOf } from "../views.ts";

export interface PodEvidence {
  readonly pod: Pod;
  /** Warnings about the pod. */
  readonly events: readonly Event[];
}

export interface PodRules {
  /** A container that has ended is a failure: it should run for as long as the pod does. */
  readonly runsForEver: boolean;
}

/** A pod whose containers run for as long as it does: of a Deployment, StatefulSet or DaemonSet. */
export function stateOfServingPod(evidence: PodEvidence): State {
  return stateOfContainers(evidence, { runsForEver: true });
}

/** A pod by itself: it may also be done. */
export function stateOfPod(evidence: PodEvidence): State {
  const { status } = evidence.pod;
  if (status?.phase === "Succeeded") {
    return ready;
  }
  if (status?.phase === "Failed") {
    return failed(`pod '${evidence.pod.metadata.name}' failed: ${reasonOfFailedPod(evidence.pod)}`);
  }
  return stateOfContainers(evidence, { runsForEver: false });
}

/** Why a pod of phase `Failed` failed: its own reason (Evicted), else how its container ended. */
export function reasonOfFailedPod({ status }: Pod): string {
  if (status?.message !== undefined || status?.reason !== undefined) {
    return [status.reason, status.message].filter((text) => text !== undefined).join(": ");
  }
  const ended = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].find(
    ({ state }) => state?.terminated !== undefined && state.terminated.exitCode !== 0,
  );
  return ended?.state?.terminated === undefined
    ? "no reason is given"
    : `container '${ended.name}' ended: ${textOfTermination(ended.state.terminated)}`;
}

/** Failures to start that end when whoever can create what is missing does so. */
const missingThings = new Set(["CreateContainerConfigError", "CreateContainerError", "RunContainerError"]);
const lostCauses = new Set(["ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"]);

export function stateOfContainers({ pod, events }: PodEvidence, rules: PodRules): State {
  const { metadata, status } = pod;
  const about = `pod '${metadata.name}'`;
  const first = worstOf([
    ...(status?.initContainerStatuses ?? []).map((container) => stateOfInitContainer(about, container)),
    ...(status?.containerStatuses ?? []).map((container) => stateOfContainer(about, container, rules)),
  ]);
  if (first.kind === "failed" || first.kind === "failing") {
    return first;
  }
  const scheduled = conditionOf(status?.conditions, "PodScheduled");
  if (scheduled?.status === "False") {
    return waiting(`${about} cannot be scheduled: ${textOfCondition(scheduled)}`);
  }
  if (isReady(pod)) {
    return ready;
  }
  const event = latest(events);
  if (event !== undefined) {
    return waiting(`${about} is not ready: ${event.reason ?? "Warning"}: ${event.message ?? ""}`);
  }
  if (first.kind === "waiting") {
    return first;
  }
  const unready = ["Ready", "ContainersReady"]
    .map((type) => conditionOf(status?.conditions, type))
    .find((condition) => condition?.status === "False");
  return waiting(`${about} is not ready: ${unready === undefined ? "it is starting" : textOfCondition(unready)}`);
}

function isReady({ status }: Pod): boolean {
  return (
    ["Ready", "ContainersReady"].every((type) => conditionOf(status?.conditions, type)?.status === "True") &&
    (status?.containerStatuses ?? []).every((container) => container.ready === true)
  );
}

function stateOfContainer(about: string, container: ContainerStatus, { runsForEver }: PodRules): State {
  const { name, state } = container;
  if (state?.terminated !== undefined && runsForEver) {
    const { reason, message } = state.terminated;
    return failed(
      `${about}, container '${name}': Container state is 'Terminated' Reason: ${reason ?? ""}, Message: ${message ?? ""}${exitCodeOf(state.terminated)}`,
    );
  }
  return stateOfWaiting(about, container);
}

/** Ends with code 0 as a matter of course; another code leads to a new try, and to a crash loop. */
function stateOfInitContainer(about: string, container: ContainerStatus): State {
  const ended = container.state?.terminated;
  if (ended !== undefined && ended.exitCode !== 0) {
    return waiting(`${about}, init container '${container.name}' ended: ${textOfTermination(ended)}`);
  }
  return stateOfWaiting(about, container);
}

function stateOfWaiting(about: string, { name, state, lastState }: ContainerStatus): State {
  if (state?.waiting === undefined) {
    return ready;
  }
  const { reason = "", message = "" } = state.waiting;
  const last = lastState?.terminated;
  const text =
    `${about}, container '${name}': Container state is 'Waiting' Reason: ${reason}, Message: ${message}` +
    (last === undefined ? "" : ` LastTerminationState: ${textOfTermination(last)}`);
  if (lostCauses.has(reason) || reason === "CrashLoopBackOff") {
    return failed(text);
  }
  return missingThings.has(reason) ? failing(text) : waiting(text);
}

function textOfTermination(ended: Terminated): string {
  const text = [ended.reason, ended.message].filter((part) => part !== undefined && part !== "").join(": ");
  return `${text === "" ? "no reason is given" : text}${exitCodeOf(ended)}`;
}

function exitCodeOf({ exitCode, signal }: Terminated): string {
  const end = signal === undefined || signal === 0 ? undefined : `signal ${signal}`;
  const text = [exitCode === undefined ? undefined : `exit code ${exitCode}`, end].filter((part) => part !== undefined);
  return text.length === 0 ? "" : ` (${text.join(", ")})`;
}

export function textOfCondition({ reason, message }: Condition): string {
  const text = [reason, message].filter((part) => part !== undefined && part !== "").join(": ");
  return text === "" ? "no reason is given" : text;
}

/** The last warning, as a controller repeats the one that counts. */
export function latest(events: readonly Event[]): Event | undefined {
  const timeOf = ({ lastTimestamp, eventTime, metadata }: Event): string =>
    lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? "";
  return events.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))[0];
}
