import assert from "node:assert/strict";
import { it } from "node:test";
import type { ContainerStatus, Pod } from "../views.ts";
import { stateOfPod, stateOfServingPod } from "./pod-state.ts";
import type { State } from "./state.ts";

const readyConditions = ["Ready", "ContainersReady"].map((type) => ({ type, status: "True" }));
const unreadyConditions = ["Ready", "ContainersReady"].map((type) => ({
  type,
  status: "False",
  reason: "ContainersNotReady",
  message: "containers with unready status: [web]",
}));
const ok: ContainerStatus = { name: "web", ready: true, state: { running: {} } };
const unready: ContainerStatus = { name: "web", ready: false, state: { running: {} } };

const serving: readonly (readonly [name: string, status: Pod["status"], state: State])[] = [
  ["a new pod", undefined, { kind: "waiting", message: "pod 'web-1' is not ready: it is starting" }],
  ["a ready pod", { phase: "Running", conditions: readyConditions, containerStatuses: [ok] }, { kind: "ready" }],
  [
    "a pod whose conditions are ahead of its containers",
    { conditions: readyConditions, containerStatuses: [unready] },
    { kind: "waiting", message: "pod 'web-1' is not ready: it is starting" },
  ],
  [
    "an unready pod",
    { conditions: unreadyConditions, containerStatuses: [unready] },
    {
      kind: "waiting",
      message: "pod 'web-1' is not ready: ContainersNotReady: containers with unready status: [web]",
    },
  ],
  [
    "an image that is not there",
    waitingFor("ErrImagePull", "pull access denied"),
    {
      kind: "failed",
      message:
        "pod 'web-1', container 'web': Container state is 'Waiting' Reason: ErrImagePull, Message: pull access denied",
    },
  ],
  [
    "back-off of an image",
    waitingFor("ImagePullBackOff", "Back-off pulling image"),
    {
      kind: "failed",
      message:
        "pod 'web-1', container 'web': Container state is 'Waiting' Reason: ImagePullBackOff, Message: Back-off pulling image",
    },
  ],
  [
    "an image of an init container that is not there",
    { initContainerStatuses: waitingFor("ImagePullBackOff", "Back-off")?.containerStatuses ?? [] },
    {
      kind: "failed",
      message: "pod 'web-1', container 'web': Container state is 'Waiting' Reason: ImagePullBackOff, Message: Back-off",
    },
  ],
  [
    "a crash loop",
    waitingFor("CrashLoopBackOff", "back-off 10s", {
      terminated: { exitCode: 137, reason: "OOMKilled", message: "no memory" },
    }),
    {
      kind: "failed",
      message:
        "pod 'web-1', container 'web': Container state is 'Waiting' Reason: CrashLoopBackOff, Message: back-off 10s LastTerminationState: OOMKilled: no memory (exit code 137)",
    },
  ],
  [
    "a container that has ended",
    { containerStatuses: [{ name: "web", state: { terminated: { exitCode: 0, reason: "Completed" } } }] },
    {
      kind: "failed",
      message:
        "pod 'web-1', container 'web': Container state is 'Terminated' Reason: Completed, Message:  (exit code 0)",
    },
  ],
  [
    "a container that waits for a Secret",
    waitingFor("CreateContainerConfigError", 'secret "db" not found'),
    {
      kind: "failing",
      message:
        "pod 'web-1', container 'web': Container state is 'Waiting' Reason: CreateContainerConfigError, Message: secret \"db\" not found",
    },
  ],
  [
    "a container that is being created",
    waitingFor("ContainerCreating", ""),
    {
      kind: "waiting",
      message: "pod 'web-1', container 'web': Container state is 'Waiting' Reason: ContainerCreating, Message: ",
    },
  ],
  [
    "an init container that is done",
    {
      conditions: readyConditions,
      initContainerStatuses: [{ name: "init", ready: true, state: { terminated: { exitCode: 0 } } }],
      containerStatuses: [ok],
    },
    { kind: "ready" },
  ],
  [
    "an init container that failed",
    { initContainerStatuses: [{ name: "init", state: { terminated: { exitCode: 2, reason: "Error" } } }] },
    { kind: "waiting", message: "pod 'web-1', init container 'init' ended: Error (exit code 2)" },
  ],
  [
    "a pod without a node",
    {
      conditions: [
        { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/3 nodes are available" },
      ],
    },
    { kind: "waiting", message: "pod 'web-1' cannot be scheduled: Unschedulable: 0/3 nodes are available" },
  ],
];

for (const [name, status, state] of serving) {
  it(`of a server: ${name}`, () => {
    assert.deepEqual(stateOfServingPod({ pod: podWith(status), events: [] }), state);
  });
}

it("explains an unready pod by its last warning", () => {
  const pod = podWith({ conditions: unreadyConditions, containerStatuses: [unready] });
  const events = [
    { metadata: { name: "b" }, reason: "Unhealthy", message: "Readiness probe failed: 503", lastTimestamp: "2026-02" },
    { metadata: { name: "a" }, reason: "FailedMount", message: "not yet", lastTimestamp: "2026-01" },
  ];

  const state = stateOfServingPod({ pod, events });

  assert.deepEqual(state, {
    kind: "waiting",
    message: "pod 'web-1' is not ready: Unhealthy: Readiness probe failed: 503",
  });
});

const single: readonly (readonly [name: string, status: Pod["status"], state: State])[] = [
  ["one that is done", { phase: "Succeeded" }, { kind: "ready" }],
  [
    "one that was evicted",
    { phase: "Failed", reason: "Evicted", message: "The node was low on memory." },
    { kind: "failed", message: "pod 'web-1' failed: Evicted: The node was low on memory." },
  ],
  [
    "one whose container failed",
    {
      phase: "Failed",
      containerStatuses: [
        { name: "web", state: { terminated: { exitCode: 3, reason: "Error", message: "no route" } } },
      ],
    },
    { kind: "failed", message: "pod 'web-1' failed: container 'web' ended: Error: no route (exit code 3)" },
  ],
  [
    "one with a container that is done before the others",
    {
      phase: "Running",
      containerStatuses: [{ name: "web", state: { terminated: { exitCode: 0 } } }],
    },
    { kind: "waiting", message: "pod 'web-1' is not ready: it is starting" },
  ],
];

for (const [name, status, state] of single) {
  it(`of a pod by itself: ${name}`, () => {
    assert.deepEqual(stateOfPod({ pod: podWith(status), events: [] }), state);
  });
}

function podWith(status: Pod["status"]): Pod {
  return { metadata: { name: "web-1" }, ...(status === undefined ? {} : { status }) };
}

function waitingFor(reason: string, message: string, lastState?: ContainerStatus["lastState"]): Pod["status"] {
  return {
    containerStatuses: [
      { name: "web", ready: false, state: { waiting: { reason, message } }, ...(lastState ? { lastState } : {}) },
    ],
  };
}
