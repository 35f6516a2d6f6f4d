import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, type JsonObject } from "@rad/core";
import { FakeClock, until } from "@rad/core/testing";
import { Watches } from "../api/watch.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { MemoryApiClient } from "../testing/memory-api-client.ts";
import { readyObject, type WaitOptions } from "./ready-object.ts";

const deployments = "/apis/apps/v1/namespaces/shop/deployments";
const replicaSets = "/apis/apps/v1/namespaces/shop/replicasets";
const pods = "/api/v1/namespaces/shop/pods";
const claims = "/api/v1/namespaces/shop/persistentvolumeclaims";
const widgets = "/apis/example.com/v1/namespaces/shop/widgets";
const revision = "deployment.kubernetes.io/revision";

it("resolves at once for kinds without a state", async () => {
  const { client, ready } = setUp();
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "shop" } };

  const found = await ready(object);

  assert.equal(found, object);
  assert.deepEqual(client.calls, []);
});

it("waits for a Deployment and tells what it waits for", async () => {
  const { client, watches, ready } = setUp();
  const told: string[] = [];
  const waiting = ready(client.put(deployments, deployment({ observed: 0 })), { progress: (text) => told.push(text) });
  await until("progress is told", () => told.length === 1);

  client.put(deployments, deployment({ observed: 1 }));
  client.put(replicaSets, replicaSet);
  client.put(pods, pod("ContainerCreating"));
  await until("progress is told", () => told.length === 2);
  client.put(pods, readyPod);
  const found = await waiting;

  assert.deepEqual(told, [
    "the Deployment controller has not seen the change yet",
    "pod 'web-1-a', container 'web': Container state is 'Waiting' Reason: ContainerCreating, Message: it waits",
  ]);
  assert.equal(found.metadata["resourceVersion"], "3");
  await until("the watches have ended", () => client.openWatches === 0);
  assert.equal(watches.open, 0);
});

it("does not take the state before the change for the one after it", async () => {
  const { client, clock, ready } = setUp();
  client.put(deployments, deployment({ observed: 1 }));
  client.put(replicaSets, replicaSet);
  client.put(pods, readyPod);
  const applied = atVersion(9, deployment({ observed: 1 }));
  let isDone = false;
  const waiting = ready(applied).then(() => (isDone = true));
  await until("it waits", () => client.openWatches === 4 && clock.sleeping >= 5);
  const doneBefore = isDone;

  client.version = 9;
  client.put(deployments, deployment({ observed: 1 }));
  await waiting;

  assert.equal(doneBefore, false);
});

it("fails at once when waiting does not help", async () => {
  const { client, watches, ready } = setUp();
  const applied = client.put(deployments, deployment({ observed: 1 }));
  client.put(replicaSets, replicaSet);
  client.put(pods, pod("ImagePullBackOff"));

  await assert.rejects(ready(applied), {
    code: "ObjectNotReady",
    target: "/planes/kubernetes/local/namespaces/shop/providers/apps/Deployment/web",
    message:
      "Deployment 'web' in namespace 'shop' is not ready: pod 'web-1-a', container 'web': Container state is 'Waiting' Reason: ImagePullBackOff, Message: it waits",
  });
  assert.equal(watches.open, 0);
});

it("bears with a refusal for a while, and forgets it when it passes", async () => {
  const { client, clock, ready } = setUp();
  const told: string[] = [];
  const applied = client.put(deployments, deployment({ observed: 1 }));
  client.put(replicaSets, { ...replicaSet, status: quota });
  const waiting = ready(applied, { progress: (text) => told.push(text) });
  await until("it waits for the first time", () => told.length === 1 && clock.sleeping === 5);
  clock.advance(9_000);

  client.put(replicaSets, replicaSet);
  await until("progress is told", () => told.length === 2);
  client.put(replicaSets, { ...replicaSet, status: quota });
  await until("it waits again", () => told.length === 3 && clock.sleeping === 5);
  clock.advance(9_000);
  client.put(replicaSets, replicaSet);
  client.put(pods, readyPod);

  await waiting;
});

it("fails when a refusal lasts", async () => {
  const { client, clock, ready } = setUp();
  const applied = client.put(deployments, deployment({ observed: 1 }));
  client.put(replicaSets, { ...replicaSet, status: quota });
  const waiting = ready(applied);
  const rejected = assert.rejects(waiting, { code: "ObjectNotReady", message: /exceeded quota: small$/ });
  await until("it waits", () => clock.sleeping === 5);

  clock.advance(10_000);

  await rejected;
});

it("says at the time-out what upstream says, and what the Deployment waited for", async () => {
  const { client, clock, ready } = setUp();
  const applied = client.put(deployments, deployment({ observed: 1 }));
  client.put(replicaSets, replicaSet);
  client.put(pods, unschedulable);
  const rejected = assert.rejects(ready(applied), {
    code: "ObjectNotReady",
    transient: false,
    message:
      "deployment timed out, name: web, namespace shop, status: done, reason: NewReplicaSetAvailable. Deployment 'web' in namespace 'shop' is not ready after 600 seconds: pod 'web-1-a' cannot be scheduled: Unschedulable: no node has room.",
  });
  await until("it waits", () => client.openWatches === 4 && clock.sleeping === 5);

  let isDone = false;
  void rejected.finally(() => (isDone = true));
  await passTime(clock, () => isDone);

  await rejected;
});

it("the time-out of a later wait tells how long all of them have waited", async () => {
  const { client, clock, ready } = setUp();
  const applied = client.put(deployments, deployment({ observed: 1 }));
  client.put(replicaSets, replicaSet);
  client.put(pods, unschedulable);
  const rejected = assert.rejects(ready(applied, { timeoutMs: 14_000, waitedMs: 586_000 }), {
    message: / is not ready after 600 seconds: pod 'web-1-a'/,
  });
  await until("it waits", () => client.openWatches === 4 && clock.sleeping === 5);

  clock.advance(14_000);

  await rejected;
});

it("is a passing failure when the cluster is away at the time-out", async () => {
  const { client, clock, ready } = setUp();
  const applied = client.put(deployments, deployment({ observed: 0 }));
  const away = new ApiError("ServiceUnavailable", "connect ECONNREFUSED", { transient: true });
  client.refusals.push(...Array.from({ length: 10_000 }, () => away));
  const waiting = ready(applied, { timeoutMs: 60_000 });
  let outcome: unknown;
  void waiting.catch((error: unknown) => (outcome = error));

  await passTime(clock, () => outcome !== undefined);

  assert.ok(outcome instanceof ApiError);
  assert.equal(outcome.transient, true);
  assert.match(outcome.message, /connect ECONNREFUSED/);
});

it("says that the object was deleted meanwhile", async () => {
  const { client, clock, ready } = setUp();
  const rejected = assert.rejects(ready(client.put(deployments, deployment({ observed: 0 }))), { code: "Conflict" });
  await until("it waits", () => client.openWatches === 4 && clock.sleeping === 5);

  client.remove(deployments, "web");

  await rejected;
});

it("says that there is no such object", async () => {
  const { ready } = setUp();

  await assert.rejects(ready(deployment({ observed: 0 })), { code: "NotFound" });
});

it("asks for an object by name when it does not show up", async () => {
  const { client, clock, ready } = setUp();
  const applied = atVersion(9, deployment({ observed: 0 }));
  const rejected = assert.rejects(ready(applied), { code: "NotFound" });
  await until("it waits", () => client.openWatches === 4 && clock.sleeping === 5);

  clock.advance(2_000);

  await rejected;
});

it("makes do without events where they may not be read", async () => {
  const { client, ready } = setUp((path) => path.endsWith("/events"));
  const applied = client.put(deployments, deployment({ observed: 1 }));
  client.put(replicaSets, replicaSet);
  client.put(pods, readyPod);

  await ready(applied);
});

it("fails when pods may not be read", async () => {
  const { client, watches, ready } = setUp((path) => path === pods);
  const applied = client.put(deployments, deployment({ observed: 1 }));

  await assert.rejects(ready(applied), { code: "Forbidden" });
  assert.equal(watches.open, 0);
});

it("takes a claim for ready that is bound with its first consumer", async () => {
  const { client, ready } = setUp();
  client.put("/apis/storage.k8s.io/v1/storageclasses", {
    metadata: { name: "slow" },
    volumeBindingMode: "WaitForFirstConsumer",
  });
  const claim = client.put(claims, {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: "shop" },
    spec: { storageClassName: "slow" },
    status: { phase: "Pending" },
  });

  await ready(claim);
});

it("opens no watch for a custom object that is ready already", async () => {
  const { client, ready } = setUp();

  await ready(
    client.put(widgets, { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a", namespace: "shop" } }),
  );

  assert.deepEqual(client.calls, []);
});

it("ends with its signal and leaves nothing behind", async () => {
  const { client, clock, watches, ready } = setUp();
  const stop = new AbortController();
  const reason = new Error("enough");
  const rejected = assert.rejects(
    ready(client.put(deployments, deployment({ observed: 0 })), { signal: stop.signal }),
    reason,
  );
  await until("it waits", () => client.openWatches === 4 && clock.sleeping === 5);

  stop.abort(reason);
  await rejected;

  await until("nothing is left", () => client.openWatches === 0 && clock.sleeping === 0);
  assert.equal(watches.open, 0);
});

it("costs 200 Deployments as many watches as one", async () => {
  const { client, watches, ready } = setUp();
  const names = Array.from({ length: 200 }, (_, index) => `web${index}`);
  const waiting = names.map((name) => ready(client.put(deployments, deployment({ observed: 0, name }))));
  await until("the watches are open", () => client.openWatches === 4);

  for (const name of names) {
    client.put(replicaSets, {
      metadata: { ...replicaSet.metadata, name: `${name}-1`, uid: `rs-${name}`, ownerReferences: [{ uid: name }] },
    });
    client.put(pods, { ...readyPod, metadata: { name: `${name}-1-a`, ownerReferences: [{ uid: `rs-${name}` }] } });
    client.put(deployments, deployment({ observed: 1, name }));
  }
  await Promise.all(waiting);

  assert.equal(client.calls.filter((call) => call.startsWith("watch")).length, 4);
  assert.equal(watches.open, 0);
});

function setUp(isForbidden: (path: string) => boolean = () => false) {
  const client = new MemoryApiClient();
  const request = client.request.bind(client);
  client.request = async (call) => {
    if (isForbidden(call.path)) {
      throw new ApiError("Forbidden", `${call.path} is forbidden`);
    }
    return await request(call);
  };
  const clock = new FakeClock();
  const watches = new Watches(client, clock, () => 0.5);
  const { signal } = new AbortController();
  const ready = (object: KubernetesObject, options: Partial<WaitOptions> = {}): Promise<KubernetesObject> =>
    readyObject({ watches, collectionPath: async () => widgets }, object, { signal, ...options });
  return { client, clock, watches, ready };
}

function deployment({ observed, name = "web" }: { observed: number; name?: string }): KubernetesObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "shop", uid: name, generation: 1, annotations: { [revision]: "1" } },
    spec: { replicas: 1 },
    status: {
      observedGeneration: observed,
      conditions: [{ type: "Progressing", status: "True", reason: "NewReplicaSetAvailable", message: "done" }],
    },
  };
}

function atVersion(version: number, object: KubernetesObject): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
}

const replicaSet = {
  metadata: { name: "web-1", uid: "rs", annotations: { [revision]: "1" }, ownerReferences: [{ uid: "web" }] },
};
const quota = {
  conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "exceeded quota: small" }],
};
const podMetadata = { name: "web-1-a", ownerReferences: [{ uid: "rs" }] };
const readyPod = {
  metadata: podMetadata,
  status: {
    conditions: ["Ready", "ContainersReady"].map((type) => ({ type, status: "True" })),
    containerStatuses: [{ name: "web", ready: true }],
  },
};
const unschedulable = {
  metadata: podMetadata,
  status: {
    conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "no node has room" }],
  },
};

function pod(reason: string): JsonObject {
  return {
    metadata: podMetadata,
    status: { containerStatuses: [{ name: "web", state: { waiting: { reason, message: "it waits" } } }] },
  };
}

async function passTime(clock: FakeClock, isDone: () => boolean): Promise<void> {
  await until("enough time has passed", () => {
    if (!isDone()) {
      clock.advance(20_000);
    }
    return isDone();
  });
}
