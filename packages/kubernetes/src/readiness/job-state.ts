import type { PodEvidence } from "./pod-state.ts";
import { latest, reasonOfFailedPod, stateOfContainers, textOfCondition } from "./pod-state.ts";
import type { State } from "./state.ts";
import { failed, failing, ready, waiting, worstOf } from "./state.ts";
import type { Event, Job } from "../views.ts";
import { conditionOf } from "../views.ts";

export interface JobEvidence {
  readonly job: Job;
  readonly pods: readonly PodEvidence[];
  /** Warnings about the Job itself since its last change. */
  readonly events: readonly Event[];
}

export function stateOfJob({ job, pods, events }: JobEvidence): State {
  const { spec, status } = job;
  if (conditionOf(status?.conditions, "Complete")?.status === "True" || spec?.suspend === true) {
    return ready;
  }
  const over = conditionOf(status?.conditions, "Failed");
  if (over?.status === "True") {
    const pod = pods.find((evidence) => evidence.pod.status?.phase === "Failed")?.pod;
    const why = pod === undefined ? "" : `; pod '${pod.metadata.name}' failed: ${reasonOfFailedPod(pod)}`;
    return failed(`${textOfCondition(over)}${why}`);
  }
  const running = pods.filter(({ pod }) => pod.status?.phase !== "Failed" && pod.status?.phase !== "Succeeded");
  const state = worstOf(running.map(stateOfJobPod));
  if (state.kind === "failed") {
    return state;
  }
  const refused = pods.length === 0 ? latest(events.filter(({ reason }) => reason === "FailedCreate")) : undefined;
  if (refused !== undefined) {
    return failing(`pods cannot be created: FailedCreate: ${refused.message ?? ""}`);
  }
  return state.kind === "ready" ? waiting("it runs") : state;
}

/** A Job counts the crashes of its pods itself and gives up at its `backoffLimit`; an image stays away for ever. */
function stateOfJobPod(evidence: PodEvidence): State {
  const state = stateOfContainers(evidence, { runsForEver: false });
  const crashes = (evidence.pod.status?.containerStatuses ?? []).some(
    (container) => container.state?.waiting?.reason === "CrashLoopBackOff",
  );
  return state.kind === "failed" && crashes ? waiting(state.message) : state;
}
