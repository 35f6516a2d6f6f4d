import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import type { KubernetesObject } from "../kubernetes-object.ts";
import type { Look } from "./rules.ts";
import { ruleFor } from "./rules.ts";
import type { State } from "./state.ts";

interface Case {
  readonly object: JsonObject;
  readonly pods?: readonly JsonObject[];
  readonly events?: readonly JsonObject[];
  readonly bindingMode?: string;
}

const refusal = {
  metadata: { name: "event" },
  reason: "FailedCreate",
  message: 'violates PodSecurity "restricted:latest"',
  lastTimestamp: "2026-11-16T18:00:05Z",
};
const oldRefusal = { ...refusal, lastTimestamp: "2026-11-16T17:59:59Z" };
const crash = "pod 'web-b', container 'web': Container state is 'Waiting' Reason: CrashLoopBackOff, Message: it waits";
const unhealthy: JsonObject = { status: { conditions: [{ type: "Ready", status: "False", reason: "Starting" }] } };

const statefulSets: Table = [
  ["rolled out", { object: statefulSet({ readyReplicas: 2, updatedReplicas: 2 }) }, { kind: "ready" }],
  [
    "not seen",
    { object: statefulSet({ observedGeneration: 1 }) },
    { kind: "waiting", message: "the StatefulSet controller has not seen the change yet" },
  ],
  [
    "with old pods",
    { object: statefulSet({ readyReplicas: 2, updatedReplicas: 1 }) },
    { kind: "waiting", message: "1 of 2 pods are of the new revision" },
  ],
  [
    "with too few pods",
    { object: statefulSet({ readyReplicas: 1, updatedReplicas: 2 }) },
    { kind: "waiting", message: "1 of 2 pods are ready" },
  ],
  [
    "before its controller has ended the rollout",
    { object: statefulSet({ readyReplicas: 2, updatedReplicas: 2, currentRevision: "a" }) },
    { kind: "waiting", message: "2 of 2 pods are of the new revision" },
  ],
  [
    "with a partition",
    {
      object: statefulSet(
        { readyReplicas: 2, updatedReplicas: 1, currentRevision: "a" },
        { replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } },
      ),
    },
    { kind: "ready" },
  ],
  [
    "updated by hand",
    {
      object: statefulSet(
        { readyReplicas: 2, currentRevision: "a" },
        { updateStrategy: { type: "OnDelete" }, replicas: 2 },
      ),
    },
    { kind: "ready" },
  ],
  ["with a pod that crashes", { object: statefulSet({}), pods: [crashing("b")] }, { kind: "failed", message: crash }],
  [
    "with an old pod that crashes",
    { object: statefulSet({ readyReplicas: 1, updatedReplicas: 1 }), pods: [crashing("a"), crashing("a")] },
    { kind: "waiting", message: "1 of 2 pods are ready" },
  ],
  [
    "with pods that are refused",
    { object: statefulSet({}), events: [refusal] },
    { kind: "failing", message: 'pods cannot be created: FailedCreate: violates PodSecurity "restricted:latest"' },
  ],
  [
    "with pods that were refused before the last change",
    { object: statefulSet({}), events: [oldRefusal] },
    { kind: "waiting", message: "0 of 2 pods are ready" },
  ],
];

const daemonSets: Table = [
  ["without a node", { object: daemonSet({ desiredNumberScheduled: 0 }) }, { kind: "ready" }],
  [
    "rolled out",
    { object: daemonSet({ desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 }) },
    { kind: "ready" },
  ],
  [
    "not seen",
    { object: daemonSet({ observedGeneration: 1 }) },
    { kind: "waiting", message: "the DaemonSet controller has not seen the change yet" },
  ],
  [
    "in progress",
    { object: daemonSet({ desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2 }) },
    { kind: "waiting", message: "1 of 2 pods are of the new revision" },
  ],
  [
    "with a pod that crashes",
    {
      object: daemonSet({ desiredNumberScheduled: 2, updatedNumberScheduled: 1 }),
      pods: [crashing("b", "2026-11-16T18:00:09Z")],
    },
    { kind: "failed", message: crash },
  ],
  [
    "with an old pod that crashes",
    {
      object: daemonSet({ desiredNumberScheduled: 2, updatedNumberScheduled: 1 }),
      pods: [
        crashing("a", "2026-11-16T17:00:00Z"),
        { ...unhealthy, metadata: podMetadata("b", "2026-11-16T18:00:09Z") },
      ],
    },
    { kind: "waiting", message: "pod 'web-b' is not ready: Starting" },
  ],
];

const jobs: Table = [
  ["done", { object: job([{ type: "Complete", status: "True" }]) }, { kind: "ready" }],
  ["suspended", { object: { ...job([]), spec: { suspend: true } } }, { kind: "ready" }],
  ["running", { object: job([]) }, { kind: "waiting", message: "it runs" }],
  [
    "failed",
    {
      object: job([{ type: "Failed", status: "True", reason: "BackoffLimitExceeded", message: "reached the limit" }]),
      pods: [
        {
          metadata: { name: "web-x" },
          status: {
            phase: "Failed",
            containerStatuses: [{ name: "web", state: { terminated: { exitCode: 1, message: "no table" } } }],
          },
        },
      ],
    },
    {
      kind: "failed",
      message:
        "BackoffLimitExceeded: reached the limit; pod 'web-x' failed: container 'web' ended: no table (exit code 1)",
    },
  ],
  ["crashing, to be tried again", { object: job([]), pods: [crashing("b")] }, { kind: "waiting", message: crash }],
  [
    "without its image",
    { object: job([]), pods: [crashing("b", undefined, "ErrImagePull")] },
    { kind: "failed", message: crash.replace("CrashLoopBackOff", "ErrImagePull") },
  ],
  [
    "whose pods are refused",
    { object: job([]), events: [refusal] },
    { kind: "failing", message: 'pods cannot be created: FailedCreate: violates PodSecurity "restricted:latest"' },
  ],
];

const claims: Table = [
  ["bound", { object: claim("Bound") }, { kind: "ready" }],
  ["for its first consumer", { object: claim("Pending"), bindingMode: "WaitForFirstConsumer" }, { kind: "ready" }],
  [
    "lost",
    { object: claim("Lost"), bindingMode: "WaitForFirstConsumer" },
    { kind: "failed", message: "its volume is lost" },
  ],
  [
    "pending",
    { object: claim("Pending"), bindingMode: "Immediate" },
    { kind: "waiting", message: "it is not bound to a volume of StorageClass 'fast' yet" },
  ],
  [
    "without a class",
    { object: { ...claim("Pending"), spec: {} } },
    {
      kind: "waiting",
      message: "it is not bound to a volume, and names no StorageClass that could create one",
    },
  ],
  [
    "whose volume cannot be made",
    {
      object: claim("Pending"),
      events: [{ ...refusal, reason: "ProvisioningFailed", message: "no space" }],
    },
    { kind: "waiting", message: "it is not bound to a volume: ProvisioningFailed: no space" },
  ],
];

const services: Table = [
  ["with an address", { object: service({ loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } }) }, { kind: "ready" }],
  ["without one", { object: service({}) }, { kind: "waiting", message: "its load balancer has no address yet" }],
  [
    "refused one",
    { object: service({}), events: [{ ...refusal, reason: "SyncLoadBalancerFailed", message: "no more" }] },
    { kind: "waiting", message: "its load balancer has no address: SyncLoadBalancerFailed: no more" },
  ],
];

const proxies: Table = [
  ["new", { object: proxy({}) }, { kind: "waiting", message: "Contour has not said yet whether it is valid" }],
  ["valid", { object: proxy({ currentStatus: "valid" }) }, { kind: "ready" }],
  [
    "valid before its change",
    {
      object: proxy({ currentStatus: "valid", conditions: [{ type: "Valid", status: "True", observedGeneration: 1 }] }),
    },
    { kind: "waiting", message: "Contour has not seen the change yet" },
  ],
  [
    "invalid",
    {
      object: proxy({
        currentStatus: "invalid",
        description: "At least one error",
        conditions: [
          {
            type: "Valid",
            status: "False",
            errors: [
              { type: "IncludeError", status: "True", reason: "IncludeNotFound", message: "include web not found" },
            ],
          },
        ],
      }),
    },
    {
      kind: "failing",
      message: "Error - Type: IncludeError, Status: True, Reason: IncludeNotFound, Message: include web not found",
    },
  ],
  [
    "invalid without errors",
    { object: proxy({ currentStatus: "invalid", description: "something" }) },
    { kind: "failing", message: "Failed to deploy HTTP proxy. Description: something" },
  ],
];

const customs: Table = [
  ["without a status", { object: custom({}) }, { kind: "ready" }],
  ["ready", { object: custom({ conditions: [{ type: "Ready", status: "True" }] }) }, { kind: "ready" }],
  ["available", { object: custom({ conditions: [{ type: "Available", status: "True" }] }) }, { kind: "ready" }],
  [
    "not ready",
    {
      object: custom({ conditions: [{ type: "Ready", status: "False", reason: "Issuing", message: "asked for it" }] }),
    },
    { kind: "waiting", message: "condition Ready is False: Issuing: asked for it" },
  ],
  [
    "not seen",
    { object: custom({ observedGeneration: 1, conditions: [{ type: "Ready", status: "True" }] }) },
    { kind: "waiting", message: "its controller has not seen the change yet" },
  ],
  [
    "not seen, by its condition",
    { object: custom({ conditions: [{ type: "Ready", status: "True", observedGeneration: 1 }] }) },
    { kind: "waiting", message: "its controller has not seen the change yet" },
  ],
  [
    "being reconciled",
    {
      object: custom({
        conditions: [
          { type: "Ready", status: "True" },
          { type: "Reconciling", status: "True", reason: "Progressing", message: "half way" },
        ],
      }),
    },
    { kind: "waiting", message: "Progressing: half way" },
  ],
  [
    "stalled",
    {
      object: custom({
        conditions: [
          { type: "Ready", status: "False" },
          { type: "Stalled", status: "True", reason: "InvalidSpec", message: "no such plan" },
        ],
      }),
    },
    { kind: "failed", message: "InvalidSpec: no such plan" },
  ],
  [
    "with conditions that are none",
    { object: custom({ conditions: ["Ready", { type: 1 }, null] as JsonObject[] }) },
    { kind: "ready" },
  ],
];

const definitions: Table = [
  ["without a status", { object: definition([]) }, { kind: "waiting", message: "it is not established yet" }],
  ["established", { object: definition([{ type: "Established", status: "True" }]) }, { kind: "ready" }],
];

type Table = readonly (readonly [name: string, given: Case, state: State])[];

for (const [kind, table] of Object.entries({
  StatefulSet: statefulSets,
  DaemonSet: daemonSets,
  Job: jobs,
  PersistentVolumeClaim: claims,
  Service: services,
  HTTPProxy: proxies,
  "custom object": customs,
  CustomResourceDefinition: definitions,
})) {
  for (const [name, given, state] of table) {
    it(`${kind} ${name} is ${state.kind}`, () => {
      assert.deepEqual(stateOf(given), state);
    });
  }
}

for (const [name, object] of [
  ["ConfigMaps", { apiVersion: "v1", kind: "ConfigMap" }],
  ["Roles", { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role" }],
  ["Services inside the cluster", { apiVersion: "v1", kind: "Service", spec: { type: "ClusterIP" } }],
  [
    "HTTPProxies that another one includes",
    { apiVersion: "projectcontour.io/v1", kind: "HTTPProxy", spec: { routes: [{ services: [] }] } },
  ],
] as const) {
  it(`${name} are not waited for`, () => {
    const metadata = { name: "any", namespace: "shop" };

    assert.equal(ruleFor({ ...(object as unknown as JsonObject), metadata } as KubernetesObject), undefined);
  });
}

function stateOf({ object, pods = [], events = [], bindingMode }: Case): State {
  const rule = ruleFor(object as KubernetesObject);
  assert.ok(rule);
  const evidence: Record<string, readonly JsonObject[]> = { pods, events };
  const look: Look = {
    object: object as KubernetesObject,
    bindingMode,
    owned: (collection, uid) => (uid === "1" ? ((evidence[collection] ?? []) as readonly KubernetesObject[]) : []),
  };
  return rule.stateOf(look);
}

function objectOf(apiVersion: string, kind: string, more: JsonObject): JsonObject {
  const metadata: JsonObject = {
    name: "web",
    namespace: "shop",
    uid: "1",
    generation: 2,
    creationTimestamp: "2026-11-16T17:00:00Z",
    managedFields: [
      { manager: "radius-rp", time: "2026-11-16T18:00:00Z" },
      { manager: "kube-controller-manager", time: "2026-11-16T18:00:10Z", subresource: "status" },
    ],
  };
  return { apiVersion, kind, metadata, ...more };
}

function statefulSet(status: JsonObject, spec: JsonObject = { replicas: 2 }): JsonObject {
  const common = { observedGeneration: 2, currentRevision: "b", updateRevision: "b" };
  return objectOf("apps/v1", "StatefulSet", { spec, status: { ...common, ...status } });
}

function daemonSet(status: JsonObject): JsonObject {
  return objectOf("apps/v1", "DaemonSet", { status: { observedGeneration: 2, ...status } });
}

function job(conditions: JsonObject[]): JsonObject {
  return objectOf("batch/v1", "Job", { status: { conditions } });
}

function claim(phase: string): JsonObject {
  return objectOf("v1", "PersistentVolumeClaim", { spec: { storageClassName: "fast" }, status: { phase } });
}

function service(status: JsonObject): JsonObject {
  return objectOf("v1", "Service", { spec: { type: "LoadBalancer" }, status });
}

function proxy(status: JsonObject): JsonObject {
  return objectOf("projectcontour.io/v1", "HTTPProxy", { spec: { virtualhost: { fqdn: "web.example.com" } }, status });
}

function custom(status: JsonObject): JsonObject {
  return objectOf("example.com/v1", "Widget", { status });
}

function definition(conditions: JsonObject[]): JsonObject {
  return objectOf("apiextensions.k8s.io/v1", "CustomResourceDefinition", { status: { conditions } });
}

function podMetadata(hash: string, creationTimestamp?: string): JsonObject {
  const labels = { "controller-revision-hash": hash };
  return { name: `web-${hash}`, labels, ...(creationTimestamp === undefined ? {} : { creationTimestamp }) };
}

function crashing(hash: string, creationTimestamp?: string, reason = "CrashLoopBackOff"): JsonObject {
  return {
    metadata: podMetadata(hash, creationTimestamp),
    status: { containerStatuses: [{ name: "web", state: { waiting: { reason, message: "it waits" } } }] },
  };
}
