import assert from "node:assert/strict";
import { after, it } from "node:test";
import { type JsonObject, systemClock } from "@rad/core";
import { until } from "@rad/core/testing";
import { Watches } from "../api/watch.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { clientOf, targetOf } from "../testing/client-of.ts";
import { ownTestCluster, testCluster } from "../testing/index.ts";
import { untilNothingIsLeft } from "../testing/open-handles.ts";
import { deploymentOf, podTemplate } from "../testing/workloads.ts";
import { readyObject, type WaitOptions } from "./ready-object.ts";

const cluster = await testCluster();
const client = await clientOf(cluster);
const target = await targetOf(cluster);
const watches = new Watches(client, systemClock);
const { signal } = new AbortController();
const namespace = await cluster.namespace("ready");
after(async () => {
  await target[Symbol.asyncDispose]();
  client[Symbol.dispose]();
});

it("waits until all pods of a Deployment are ready", async () => {
  const progress: string[] = [];
  const object = deploymentOf({ namespace, name: "good", replicas: 3, wish: { after: "500ms" } });

  const found = await applyAndWait(object, { progress: (text) => progress.push(text) });

  assert.equal((found["status"] as JsonObject)["readyReplicas"], 3);
  assert.ok(progress.length > 0);
});

it("takes an unchanged Deployment for ready at once", async () => {
  const object = deploymentOf({ namespace, name: "unchanged" });
  await applyAndWait(object);

  await applyAndWait(object);
});

for (const [outcome, reason] of [
  ["image-pull-backoff", /Container state is 'Waiting' Reason: ImagePullBackOff, Message: .*example\.com\/web:1/],
  [
    "crash-loop",
    /Container state is 'Waiting' Reason: CrashLoopBackOff, Message: .+ LastTerminationState: Error \(exit code 1\)/,
  ],
  ["oom-killed", /LastTerminationState: OOMKilled \(exit code 137\)/],
] as const) {
  it(`says at once that a Deployment's pods end in ${outcome}`, async () => {
    const object = deploymentOf({ namespace, name: outcome, wish: { outcome } });

    await assert.rejects(applyAndWait(object), { code: "ObjectNotReady", message: reason });
  });
}

for (const [outcome, reason] of [
  ["unschedulable", /cannot be scheduled: Unschedulable: 0\/1 nodes are available: 1 Insufficient cpu\./],
  ["unready", /is not ready: Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503/],
] as const) {
  it(`tells as progress that pods are ${outcome}, and at the time-out as the reason`, async () => {
    const object = deploymentOf({ namespace, name: outcome, wish: { outcome } });
    const progress: string[] = [];

    const waiting = applyAndWait(object, { timeoutMs: 3_000, progress: (text) => progress.push(text) });

    await assert.rejects(waiting, { code: "ObjectNotReady", message: reason });
    await assert.rejects(waiting, {
      message: new RegExp(`^deployment timed out, name: ${outcome}, namespace ${namespace}, `),
    });
    assert.ok(
      progress.some((text) => reason.test(text)),
      progress.join("\n"),
    );
  });
}

it("says that a quota keeps pods away", async () => {
  const poor = await cluster.namespace("quota");
  await cluster.request("POST", `/api/v1/namespaces/${poor}/resourcequotas`, {
    metadata: { name: "none" },
    spec: { hard: { pods: "0" } },
  });
  await until("the quota is in force", async () => {
    const quota = await cluster.request<{ status?: { hard?: JsonObject } }>(
      "GET",
      `/api/v1/namespaces/${poor}/resourcequotas/none`,
    );
    return quota.status?.hard?.["pods"] === "0";
  });

  const waiting = applyAndWait(deploymentOf({ namespace: poor }), { graceMs: 500 });

  await assert.rejects(waiting, { message: /pods cannot be created: FailedCreate: .*exceeded quota: none/ });
});

for (const kind of ["Deployment", "StatefulSet", "Job"] as const) {
  it(`says that admission refuses the pods of a ${kind}`, async () => {
    const strict = await cluster.namespace("strict");
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await cluster.request("PATCH", `/api/v1/namespaces/${strict}`, { metadata: { labels } });

    const waiting = applyAndWait(workloadOf(kind, strict, {}), { graceMs: 500 });

    await assert.rejects(waiting, { message: /pods cannot be created: FailedCreate: .*violates PodSecurity/ });
  });
}

it("judges a rollout by the pods of its own revision", async () => {
  const revision = (outcome: string): KubernetesObject =>
    deploymentOf({ namespace, name: "rollout", replicas: 2, wish: { outcome } });
  await assert.rejects(applyAndWait(revision("crash-loop")), { message: /CrashLoopBackOff/ });

  await applyAndWait(revision("running"));
  await assert.rejects(applyAndWait(revision("image-pull-backoff")), { message: /ImagePullBackOff/ });
  await applyAndWait(revision("running"));
});

it("waits for a Job, and says why it failed", async () => {
  await applyAndWait(workloadOf("Job", namespace, { name: "done" }));

  const waiting = applyAndWait(
    workloadOf("Job", namespace, { name: "broken", wish: { outcome: "failed", message: "no such table" } }),
  );

  await assert.rejects(waiting, {
    message: /BackoffLimitExceeded.*container 'web' ended: Error: no such table \(exit code 1\)/,
  });
});

for (const kind of ["StatefulSet", "DaemonSet"] as const) {
  it(`waits for a ${kind}, through a second revision`, async () => {
    const name = kind.toLowerCase();
    await applyAndWait(workloadOf(kind, namespace, { name }));

    const found = await applyAndWait(workloadOf(kind, namespace, { name, wish: { logs: "second" } }));
    const broken = applyAndWait(workloadOf(kind, namespace, { name, wish: { outcome: "crash-loop" } }));

    assert.equal((found["status"] as JsonObject)["observedGeneration"], 2);
    await assert.rejects(broken, { message: /CrashLoopBackOff/ });
  });
}

it("waits for a pod by itself", async () => {
  const pod = (name: string, outcome: string): KubernetesObject => ({
    apiVersion: "v1",
    kind: "Pod",
    ...podTemplate({ name, wish: { outcome } }),
    metadata: { name, namespace, annotations: { "kube-test-server/outcome": outcome } },
  });

  await applyAndWait(pod("single", "running"));
  await assert.rejects(applyAndWait(pod("missing", "image-pull-backoff")), { message: /ImagePullBackOff/ });
});

it("waits for the address of a load balancer", async () => {
  const object: KubernetesObject = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "public", namespace },
    spec: { type: "LoadBalancer", ports: [{ port: 80 }] },
  };
  const progress: string[] = [];
  const waiting = applyAndWait(object, { progress: (text) => progress.push(text) });
  await until("it waits", () => progress.length > 0);

  await patchStatus(`/api/v1/namespaces/${namespace}/services/public`, {
    loadBalancer: { ingress: [{ ip: "192.0.2.1" }] },
  });

  await waiting;
  assert.deepEqual(progress, ["its load balancer has no address yet"]);
});

it("waits for a claim unless it is bound with its first consumer", async () => {
  const classes = "/apis/storage.k8s.io/v1/storageclasses";
  for (const [name, volumeBindingMode] of [
    [`late-${namespace}`, "WaitForFirstConsumer"],
    [`early-${namespace}`, "Immediate"],
  ]) {
    await cluster.request("POST", classes, { metadata: { name }, provisioner: "example.com/none", volumeBindingMode });
  }
  const claim = (name: string): KubernetesObject => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace },
    spec: {
      storageClassName: `${name}-${namespace}`,
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
    },
  });
  await applyAndWait(claim("late"));
  const progress: string[] = [];
  const waiting = applyAndWait(claim("early"), { progress: (text) => progress.push(text) });
  await until("it waits", () => progress.length > 0);

  await patchStatus(`/api/v1/namespaces/${namespace}/persistentvolumeclaims/early`, { phase: "Bound" });

  await waiting;
});

it("waits for the conditions of a custom object", async () => {
  const group = `${namespace}.example.com`;
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const definition: KubernetesObject = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
      versions: [
        { name: "v1", served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } },
      ],
    },
  };
  const { object: applied } = await target.apply(definition, { signal });
  const established = await target.ready(applied, { signal });
  assert.match(JSON.stringify(established["status"]), /"Established"/);
  const widget = (size: number): KubernetesObject => ({
    apiVersion: `${group}/v1`,
    kind: "Widget",
    metadata: { name: "one", namespace },
    spec: { size },
  });
  const path = `/apis/${group}/v1/namespaces/${namespace}/widgets/one`;
  await until("the kind is served", async () => {
    const served = await target.apply(widget(1), { signal }).catch(() => undefined);
    return served !== undefined;
  });
  await patchStatus(path, { observedGeneration: 1, conditions: [{ type: "Ready", status: "True" }] });
  const { object } = await target.apply(widget(2), { signal });
  const progress: string[] = [];
  const waiting = target.ready(object, { signal, progress: (text) => progress.push(text) });

  await until("it waits for the controller", () => progress.length === 1);
  const reason = { type: "Ready", status: "False", reason: "Growing", message: "to size 2" };
  await patchStatus(path, { observedGeneration: 2, conditions: [reason] });
  await until("it waits for the condition", () => progress.length === 2);
  await patchStatus(path, { observedGeneration: 2, conditions: [{ type: "Ready", status: "True" }] });
  await waiting;

  assert.deepEqual(progress, [
    "its controller has not seen the change yet",
    "condition Ready is False: Growing: to size 2",
  ]);
});

it("waits for what Contour says about a root HTTPProxy, and not for its children", async () => {
  await cluster.install("contour");
  const proxy = (name: string, spec: JsonObject): KubernetesObject => ({
    apiVersion: "projectcontour.io/v1",
    kind: "HTTPProxy",
    metadata: { name, namespace },
    spec,
  });
  const root = proxy("root", { virtualhost: { fqdn: "web.example.com" }, includes: [{ name: "web" }] });
  const path = `/apis/projectcontour.io/v1/namespaces/${namespace}/httpproxies/root`;
  await applyAndWait(proxy("web", { routes: [{ services: [{ name: "web", port: 80 }] }] }));
  const progress: string[] = [];
  const waiting = applyAndWait(root, { graceMs: 0, progress: (text) => progress.push(text) });
  await until("it waits", () => progress.length > 0);
  await patchStatus(path, { currentStatus: "valid", description: "Valid HTTPProxy" });
  await waiting;

  await patchStatus(path, {
    currentStatus: "invalid",
    description: "At least one error present, see Errors for details",
    conditions: [
      {
        type: "Valid",
        status: "False",
        reason: "ErrorPresent",
        message: "At least one error present",
        lastTransitionTime: "2026-01-01T00:00:00Z",
        errors: [{ type: "IncludeError", status: "True", reason: "IncludeNotFound", message: "include web not found" }],
      },
    ],
  });

  await assert.rejects(applyAndWait(root, { graceMs: 0 }), {
    code: "ObjectNotReady",
    message: /Error - Type: IncludeError, Status: True, Reason: IncludeNotFound, Message: include web not found$/,
  });
});

it("shares watches between 50 Deployments and leaves none behind", async () => {
  const many = await cluster.namespace("many");
  const names = Array.from({ length: 50 }, (_, index) => `web${index}`);
  let most = 0;

  await Promise.all(
    names.map(async (name) => {
      await applyAndWait(deploymentOf({ namespace: many, name }), {
        progress: () => (most = Math.max(most, watches.open)),
      });
    }),
  );

  assert.ok(most > 0 && most <= 4, `${most} watches were open`);
  assert.equal(watches.open, 0);
});

it("leaves no socket and no timer behind, whether it succeeds, fails or is aborted", async () => {
  const other = await targetOf(cluster);
  const before = process.getActiveResourcesInfo();
  const stop = new AbortController();
  const outcomes = ["running", "crash-loop", "unready"].map(async (outcome) => {
    const { object } = await other.apply(deploymentOf({ namespace, name: `left-${outcome}`, wish: { outcome } }), {
      signal,
    });
    await other.ready(object, { signal: stop.signal });
  });
  const settled = Promise.allSettled(outcomes);
  await Promise.allSettled(outcomes.slice(0, 2));

  stop.abort();
  const results = await settled;
  await other[Symbol.asyncDispose]();

  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "rejected"],
  );
  await untilNothingIsLeft(before);
});

it("goes on after a restart of the API server", async () => {
  await using own = await ownTestCluster();
  await using restarted = await targetOf(own);
  const place = await own.namespace("restart");
  const progress: string[] = [];
  const { object } = await restarted.apply(deploymentOf({ namespace: place, wish: { outcome: "unready" } }), {
    signal,
  });
  const waiting = restarted.ready(object, { signal, progress: (text) => progress.push(text) });
  await until("it waits for the pod", () => progress.some((text) => text.includes("Readiness probe failed")));

  await own.stop("SIGKILL");
  await own.start();
  const pods = `/api/v1/namespaces/${place}/pods`;
  const { items } = await own.request<{ items: { metadata: { name: string } }[] }>("GET", pods);
  for (const { metadata } of items) {
    const annotations = { "kube-test-server/outcome": "running" };
    await own.request("PATCH", `${pods}/${metadata.name}`, { metadata: { annotations } });
  }

  await waiting;
});

async function applyAndWait(object: KubernetesObject, options: Partial<WaitOptions> = {}): Promise<KubernetesObject> {
  const { object: applied } = await target.apply(object, { signal });
  const deps = {
    watches,
    collectionPath: async () => `/apis/projectcontour.io/v1/namespaces/${namespace}/httpproxies`,
  };
  return await readyObject(deps, applied, { signal, timeoutMs: 60_000, ...options });
}

async function patchStatus(path: string, status: JsonObject): Promise<void> {
  await cluster.request("PATCH", `${path}/status`, { status });
}

function workloadOf(
  kind: "Deployment" | "StatefulSet" | "DaemonSet" | "Job",
  place: string,
  { name = "web", wish = {} }: { name?: string; wish?: Record<string, string> },
): KubernetesObject {
  const template = podTemplate({ name, wish });
  if (kind === "Job") {
    const spec = { ...(template["spec"] as JsonObject), restartPolicy: "Never" };
    return {
      apiVersion: "batch/v1",
      kind,
      metadata: { name, namespace: place },
      spec: { backoffLimit: 0, template: { ...template, spec } },
    };
  }
  const selector = { matchLabels: { app: name } };
  const more: JsonObject = kind === "StatefulSet" ? { serviceName: name, replicas: 2 } : {};
  return { apiVersion: "apps/v1", kind, metadata: { name, namespace: place }, spec: { selector, template, ...more } };
}
