import { isJsonObject } from "@rad/core";
import { currentReplicaSet } from "../current-replica-set.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { nameOf } from "../kubernetes-object.ts";
import { stateOfClaim } from "./claim-state.ts";
import { stateByConditions } from "./condition-state.ts";
import { stateOfDeployment, timeoutTextOf } from "./deployment-state.ts";
import { stateOfJob } from "./job-state.ts";
import type { PodEvidence } from "./pod-state.ts";
import { stateOfPod } from "./pod-state.ts";
import { isRootProxy, stateOfProxy } from "./proxy-state.ts";
import { stateOfService } from "./service-state.ts";
import { stateOfDaemonSet, stateOfStatefulSet } from "./set-state.ts";
import type { State } from "./state.ts";
import { ready, waiting } from "./state.ts";
import type { Event } from "../views.ts";
import { viewOf } from "../views.ts";

/** What a rule can see of the cluster. */
export interface Look {
  readonly object: KubernetesObject;
  /** Pods and ReplicaSets by their owner, events by what they are about. Warnings only. */
  owned(collection: Evidence, uid: string | undefined): readonly KubernetesObject[];
  /** `volumeBindingMode` of the StorageClass that the object names. */
  readonly bindingMode: string | undefined;
}

/** Collections besides the object's own, which are watched too. */
export type Evidence = "pods" | "replicasets" | "events";

export interface Rule {
  /** Below the namespace's path, where it is not left to discovery: `/apis/apps/v1`, `deployments`. */
  readonly served?: { readonly prefix: string; readonly plural: string };
  readonly evidence: readonly Evidence[];
  stateOf(look: Look): State;
  /** The text of the error at the time-out, in front of what the object waits for. */
  timeoutText?(object: KubernetesObject): string;
}

/** How to tell whether the object is ready; `undefined` when it is as soon as it exists. */
export function ruleFor(object: KubernetesObject): Rule | undefined {
  const { group, kind } = nameOf(object);
  const rule = rules[`${group}/${kind}`];
  if (rule !== undefined) {
    return rule.applies?.(object) === false ? undefined : rule;
  }
  return isBuiltIn(group) ? undefined : customObject;
}

const established = { types: ["Established"], withoutThem: waiting("it is not established yet") };
const available = { types: ["Available"], withoutThem: waiting("nobody has asked its service yet") };

const rules: Readonly<Record<string, Rule & { applies?(object: KubernetesObject): boolean }>> = {
  "apps/Deployment": {
    served: { prefix: "/apis/apps/v1", plural: "deployments" },
    evidence: ["replicasets", "pods", "events"],
    stateOf(look) {
      const deployment = viewOf(look.object, "Deployment");
      const owned = look.owned("replicasets", deployment.metadata.uid).map((object) => viewOf(object, "ReplicaSet"));
      const replicaSet = currentReplicaSet(deployment, owned);
      return stateOfDeployment({ deployment, replicaSet, pods: podsOf(look, replicaSet?.metadata.uid) });
    },
    timeoutText: (object) => timeoutTextOf(viewOf(object, "Deployment")),
  },
  "apps/StatefulSet": {
    served: { prefix: "/apis/apps/v1", plural: "statefulsets" },
    evidence: ["pods", "events"],
    stateOf(look) {
      const set = viewOf(look.object, "StatefulSet");
      return stateOfStatefulSet({ set, pods: podsOf(look, set.metadata.uid), events: recentWarnings(look) });
    },
  },
  "apps/DaemonSet": {
    served: { prefix: "/apis/apps/v1", plural: "daemonsets" },
    evidence: ["pods", "events"],
    stateOf(look) {
      const set = viewOf(look.object, "DaemonSet");
      return stateOfDaemonSet({ set, pods: podsOf(look, set.metadata.uid), events: recentWarnings(look) });
    },
  },
  "batch/Job": {
    served: { prefix: "/apis/batch/v1", plural: "jobs" },
    evidence: ["pods", "events"],
    stateOf(look) {
      const job = viewOf(look.object, "Job");
      return stateOfJob({ job, pods: podsOf(look, job.metadata.uid), events: recentWarnings(look) });
    },
  },
  "/Pod": {
    served: { prefix: "/api/v1", plural: "pods" },
    evidence: ["events"],
    stateOf: (look) => stateOfPod({ pod: viewOf(look.object, "Pod"), events: recentWarnings(look) }),
  },
  "/PersistentVolumeClaim": {
    served: { prefix: "/api/v1", plural: "persistentvolumeclaims" },
    evidence: ["events"],
    stateOf: (look) =>
      stateOfClaim({
        claim: viewOf(look.object, "PersistentVolumeClaim"),
        bindingMode: look.bindingMode,
        events: recentWarnings(look),
      }),
  },
  "/Service": {
    served: { prefix: "/api/v1", plural: "services" },
    evidence: ["events"],
    stateOf: (look) => stateOfService({ service: viewOf(look.object, "Service"), events: recentWarnings(look) }),
    applies: (object) => viewOf(object, "Service").spec?.type === "LoadBalancer",
  },
  "projectcontour.io/HTTPProxy": {
    evidence: [],
    stateOf: ({ object }) => stateOfProxy(object),
    applies: isRootProxy,
  },
  "apiextensions.k8s.io/CustomResourceDefinition": {
    evidence: [],
    stateOf: ({ object }) => stateByConditions(object, established),
  },
  "apiregistration.k8s.io/APIService": {
    evidence: [],
    stateOf: ({ object }) => stateByConditions(object, available),
  },
};

/** Without a condition it is ready: whether it has a controller at all cannot be told. */
const customObject: Rule = {
  evidence: [],
  stateOf: ({ object }) => stateByConditions(object, { types: ["Ready", "Available"], withoutThem: ready }),
};

/** Groups of Kubernetes itself have no dot, or end with `.k8s.io`, as does only what its project approved. */
function isBuiltIn(group: string): boolean {
  return !group.includes(".") || group.endsWith(".k8s.io");
}

function podsOf(look: Look, owner: string | undefined): PodEvidence[] {
  return look
    .owned("pods", owner)
    .map((object) => viewOf(object, "Pod"))
    .map((pod) => ({ pod, events: look.owned("events", pod.metadata.uid).map((object) => viewOf(object, "Event")) }));
}

/** Warnings about the object since its last change. Older ones may be about what that change cured. */
function recentWarnings(look: Look): Event[] {
  const changedAt = lastChangeOf(look.object);
  const uid = look.object.metadata["uid"];
  return look
    .owned("events", typeof uid === "string" ? uid : undefined)
    .map((object) => viewOf(object, "Event"))
    .filter(({ lastTimestamp, eventTime, metadata }) => {
      const time = lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? "";
      return time.slice(0, changedAt.length) >= changedAt;
    });
}

/** When anything but the status was last changed, to the second: `2026-11-16T18:15:47`. */
function lastChangeOf({ metadata }: KubernetesObject): string {
  const { creationTimestamp, managedFields } = metadata;
  const times = (Array.isArray(managedFields) ? managedFields : [])
    .filter(isJsonObject)
    .filter(({ subresource }) => subresource === undefined || subresource === "")
    .map(({ time }) => time);
  return (
    [creationTimestamp, ...times]
      .filter((time) => typeof time === "string")
      .map((time) => time.replace(/(\.\d+)?Z$/, ""))
      .toSorted()
      .at(-1) ?? ""
  );
}
