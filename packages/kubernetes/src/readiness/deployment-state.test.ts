import assert from "node:assert/strict";
import { it } from "node:test";
import { currentReplicaSet } from "../current-replica-set.ts";
import type { Condition, Deployment, Pod, ReplicaSet } from "../views.ts";
import { stateOfDeployment, timeoutTextOf } from "./deployment-state.ts";
import type { State } from "./state.ts";

const revision = "deployment.kubernetes.io/revision";
const rolledOut: Condition = { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" };
const replicaSet: ReplicaSet = { metadata: { name: "web-2", uid: "2", annotations: { [revision]: "2" } } };
const quota: Condition = {
  type: "ReplicaFailure",
  status: "True",
  reason: "FailedCreate",
  message: 'pods "web-2-a" is forbidden: exceeded quota: small',
};

interface Case {
  readonly generation?: number;
  readonly observed?: number;
  readonly replicas?: number;
  readonly paused?: boolean;
  readonly terminating?: number;
  readonly conditions?: readonly Condition[];
  readonly replicaSet?: ReplicaSet | null;
  readonly pods?: readonly Pod[];
}

const table: readonly (readonly [name: string, given: Case, state: State])[] = [
  ["rolled out", {}, { kind: "ready" }],
  ["without pods by wish", { replicas: 0, pods: [] }, { kind: "ready" }],
  [
    "not seen by the controller",
    { generation: 3, observed: 2, pods: [podIn("CrashLoopBackOff")] },
    { kind: "waiting", message: "the Deployment controller has not seen the change yet" },
  ],
  [
    "without its ReplicaSet",
    { replicaSet: null, pods: [] },
    { kind: "waiting", message: "there is no ReplicaSet of the current revision yet" },
  ],
  ["scaled up", { replicas: 3 }, { kind: "waiting", message: "1 of 3 pods exist" }],
  [
    "with a pod about to go",
    {
      replicas: 1,
      pods: [
        readyPod(),
        { ...podIn("CrashLoopBackOff"), metadata: { name: "web-2-c", deletionTimestamp: "2026-11-16T18:00:00Z" } },
      ],
    },
    { kind: "ready" },
  ],
  [
    "in progress",
    {
      conditions: [{ type: "Progressing", status: "True", reason: "ReplicaSetUpdated", message: "2 are updated" }],
    },
    { kind: "waiting", message: "its rollout goes on: ReplicaSetUpdated: 2 are updated" },
  ],
  [
    "paused",
    { paused: true, conditions: [{ type: "Progressing", status: "Unknown", reason: "DeploymentPaused" }] },
    { kind: "waiting", message: "its rollout is paused" },
  ],
  [
    "with an image that is not there",
    { pods: [readyPod(), podIn("ImagePullBackOff")] },
    {
      kind: "failed",
      message:
        "pod 'web-2-b', container 'web': Container state is 'Waiting' Reason: ImagePullBackOff, Message: it waits",
    },
  ],
  [
    "above its quota, by its ReplicaSet",
    { pods: [], replicaSet: { ...replicaSet, status: { conditions: [quota] } } },
    {
      kind: "failing",
      message: 'pods cannot be created: FailedCreate: pods "web-2-a" is forbidden: exceeded quota: small',
    },
  ],
  [
    "above its quota, by its own condition",
    { pods: [], conditions: [quota] },
    {
      kind: "failing",
      message: 'pods cannot be created: FailedCreate: pods "web-2-a" is forbidden: exceeded quota: small',
    },
  ],
  [
    "above its quota while old pods are about to go",
    { pods: [], conditions: [quota], terminating: 1 },
    {
      kind: "waiting",
      message: 'pods cannot be created: FailedCreate: pods "web-2-a" is forbidden: exceeded quota: small',
    },
  ],
  [
    "with a crash loop and a quota",
    { pods: [podIn("CrashLoopBackOff")], conditions: [quota] },
    {
      kind: "failed",
      message:
        "pod 'web-2-b', container 'web': Container state is 'Waiting' Reason: CrashLoopBackOff, Message: it waits",
    },
  ],
  [
    "past its own deadline",
    {
      pods: [podIn("ContainerCreating")],
      conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "timed out" }],
    },
    {
      kind: "failed",
      message:
        "it makes no progress: ProgressDeadlineExceeded: timed out; pod 'web-2-b', container 'web': Container state is 'Waiting' Reason: ContainerCreating, Message: it waits",
    },
  ],
  [
    "whose ReplicaSet is refused",
    {
      observed: 1,
      generation: 2,
      conditions: [
        { type: "Progressing", status: "False", reason: "ReplicaSetCreateError", message: "denied by policy" },
      ],
    },
    { kind: "failing", message: "its ReplicaSet cannot be created: ReplicaSetCreateError: denied by policy" },
  ],
];

for (const [name, given, state] of table) {
  it(`a Deployment ${name} is ${state.kind}`, () => {
    const pods = (given.pods ?? [readyPod()]).map((pod) => ({ pod, events: [] }));

    const found = stateOfDeployment({
      deployment: deploymentOf(given),
      replicaSet: given.replicaSet === null ? undefined : (given.replicaSet ?? replicaSet),
      pods,
    });

    assert.deepEqual(found, state);
  });
}

it("finds the ReplicaSet of the current revision", () => {
  const deployment = deploymentOf({});
  const old: ReplicaSet = { metadata: { name: "web-1", annotations: { [revision]: "1" } } };

  assert.equal(currentReplicaSet(deployment, [old, replicaSet]), replicaSet);
  assert.equal(currentReplicaSet(deployment, [old]), undefined);
  assert.equal(currentReplicaSet({ metadata: { name: "web" } }, [{ metadata: { name: "web-0" } }]), undefined);
});

it("says in the words of upstream that time is up", () => {
  const text = timeoutTextOf(
    deploymentOf({
      conditions: [
        rolledOut,
        { type: "Available", status: "False", reason: "MinimumReplicasUnavailable", message: "too few" },
      ],
    }),
  );

  assert.equal(
    text,
    "deployment timed out, name: web, namespace shop, status: too few, reason: MinimumReplicasUnavailable",
  );
});

function deploymentOf(given: Case): Deployment {
  const { generation = 2, observed = 2, replicas, paused, terminating = 0, conditions = [rolledOut] } = given;
  return {
    metadata: { name: "web", namespace: "shop", uid: "1", generation, annotations: { [revision]: "2" } },
    spec: { ...(replicas === undefined ? {} : { replicas }), ...(paused === undefined ? {} : { paused }) },
    status: { observedGeneration: observed, terminatingReplicas: terminating, conditions },
  };
}

function readyPod(): Pod {
  return {
    metadata: { name: "web-2-a" },
    status: {
      conditions: ["Ready", "ContainersReady"].map((type) => ({ type, status: "True" })),
      containerStatuses: [{ name: "web", ready: true, state: { running: {} } }],
    },
  };
}

function podIn(reason: string): Pod {
  return {
    metadata: { name: "web-2-b" },
    status: { containerStatuses: [{ name: "web", state: { waiting: { reason, message: "it waits" } } }] },
  };
}
