// What the stand-in for the kubelet reports, by the annotations of a pod.
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { until } from "@rad/core/testing";
import { testCluster } from "./shared-test-cluster.ts";
import type { TestCluster } from "./test-cluster.ts";

interface Pod {
  readonly metadata: { readonly uid: string };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
    readonly containerStatuses?: readonly {
      readonly ready: boolean;
      readonly state: ContainerState;
      readonly lastState: ContainerState;
    }[];
  };
}

interface ContainerState {
  readonly running?: object;
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly terminated?: { readonly reason: string; readonly exitCode: number; readonly message?: string };
}

let cluster: TestCluster;
let namespace: string;
before(async () => {
  cluster = await testCluster();
  namespace = await cluster.namespace("pods");
});

const outcomes: Record<string, { restartPolicy?: string; message?: string; shows: string; event?: string }> = {
  running: { shows: "Running, ready" },
  succeeded: { restartPolicy: "Never", shows: "Succeeded, not ready, Completed 0" },
  failed: { restartPolicy: "Never", message: "no such table", shows: "Failed, not ready, Error 1 no such table" },
  pending: { shows: "Pending" },
  unschedulable: {
    message: "0/1 nodes are available: 1 Insufficient memory.",
    shows: "Pending, Unschedulable 0/1 nodes are available: 1 Insufficient memory.",
    event: "FailedScheduling",
  },
  "image-pull-backoff": {
    shows: 'Pending, not ready, ImagePullBackOff Back-off pulling image "none"',
    event: "Failed",
  },
  "crash-loop": {
    message: "back-off",
    shows: "Running, not ready, CrashLoopBackOff back-off, last Error 1",
    event: "BackOff",
  },
  "oom-killed": {
    message: "back-off",
    shows: "Running, not ready, CrashLoopBackOff back-off, last OOMKilled 137",
    event: "BackOff",
  },
  // A typing error is seen rather than taken for the default.
  crashloop: {
    shows: 'Pending, Unschedulable The annotation kube-test-server/outcome knows no "crashloop".',
    event: "FailedScheduling",
  },
  unready: { shows: "Running, not ready", event: "Unhealthy" },
};

for (const [outcome, { restartPolicy, message, shows, event }] of Object.entries(outcomes)) {
  it(`shows the outcome ${outcome}`, async () => {
    const annotations = {
      "kube-test-server/outcome": outcome,
      ...(message === undefined ? {} : { "kube-test-server/message": message }),
    };
    const { metadata } = await cluster.request<Pod>("POST", pods(), pod(outcome, annotations, restartPolicy));

    await untilShows(outcome, shows);

    if (event !== undefined) {
      const events = `/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.uid=${metadata.uid}`;
      await until(`there is an event ${event}`, async () => {
        const { items } = await cluster.request<{ items: { reason: string }[] }>("GET", events);
        return items.some(({ reason }) => reason === event);
      });
    }
  });
}

it("follows an outcome that changes while the pod lives", async () => {
  const name = "changing";
  await cluster.request("POST", pods(), pod(name, { "kube-test-server/outcome": "unready" }));
  await untilShows(name, "Running, not ready");

  await cluster.request("PATCH", `${pods()}/${name}`, {
    metadata: { annotations: { "kube-test-server/outcome": "running" } },
  });

  await untilShows(name, "Running, ready");
});

it("shows an outcome no earlier than asked for", async () => {
  const name = "later";
  await cluster.request("POST", pods(), pod(name, { "kube-test-server/after": "1s" }));
  const { status } = await cluster.request<Pod>("GET", `${pods()}/${name}`);

  assert.equal(status.phase, "Pending");
  await untilShows(name, "Running, ready");
});

function pods(): string {
  return `/api/v1/namespaces/${namespace}/pods`;
}

function pod(name: string, annotations: Record<string, string>, restartPolicy = "Always"): object {
  return { metadata: { name, annotations }, spec: { restartPolicy, containers: [{ name: "c", image: "none" }] } };
}

async function untilShows(name: string, wanted: string): Promise<void> {
  let shown = "";
  await until(
    () => `the pod shows "${wanted}"; it shows "${shown}"`,
    async () => {
      shown = summary(await cluster.request<Pod>("GET", `${pods()}/${name}`));
      return shown === wanted;
    },
  );
}

function summary({ status }: Pod): string {
  const unscheduled = status.conditions?.find(({ type, status }) => type === "PodScheduled" && status === "False");
  const container = status.containerStatuses?.[0];
  return [
    status.phase,
    unscheduled === undefined ? "" : `${unscheduled.reason} ${unscheduled.message}`,
    container === undefined ? "" : container.ready ? "ready" : "not ready",
    stateText(container?.state),
    container?.lastState.terminated === undefined ? "" : `last ${stateText(container.lastState)}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function stateText({ waiting, terminated }: ContainerState = {}): string {
  const words = [waiting?.reason, waiting?.message, terminated?.reason, terminated?.exitCode, terminated?.message];
  return words.filter((word) => word !== undefined).join(" ");
}
