import assert from "node:assert/strict";
import { after, it } from "node:test";
import { until } from "@rad/core/testing";
import { openPods } from "../index.ts";
import { clientOf, targetOf } from "../testing/client-of.ts";
import { testCluster } from "../testing/index.ts";
import { untilNothingIsLeft } from "../testing/open-handles.ts";
import { deploymentOf, type Workload } from "../testing/workloads.ts";
import { followLogs, type LogEntry, type LogOptions } from "./follow-logs.ts";

const cluster = await testCluster();
const client = await clientOf(cluster);
const target = await targetOf(cluster);
const never = new AbortController().signal;
after(async () => {
  await target[Symbol.asyncDispose]();
  client[Symbol.dispose]();
});

it("reads the logs of all containers, and ends", async () => {
  const namespace = await start({
    containers: ["web", "sidecar"],
    wish: { "logs.web": "hello\nworld", "logs.sidecar": "beside" },
  });

  const entries = await Array.fromAsync(followLogs(client, { namespace, selector, follow: false, signal: never }));

  assert.deepEqual(entries.map(textOf).toSorted(), ["web sidecar beside", "web web hello", "web web world"]);
});

it("reads the log of one container", async () => {
  const namespace = await start({
    containers: ["web", "sidecar"],
    wish: { "logs.web": "hello", "logs.sidecar": "beside" },
  });
  const options = { namespace, selector, follow: false, container: "sidecar", signal: never };

  using pods = await openPods({ kind: "kubeConfig", file: cluster.kubeConfig });

  const entries = await Array.fromAsync(pods.followLogs(options));

  assert.deepEqual(entries.map(textOf), ["web sidecar beside"]);
});

it("follows lines to come, of pods to come too, and lets go of a pod that is replaced", async () => {
  const namespace = await start({ wish: { logs: "one" } });
  await using log = follow({ namespace });
  await log.has("web web one");
  const [first] = await podNames(namespace);

  await annotate(namespace, first, "one\ntwo");
  await log.has("web web two");
  await cluster.request("DELETE", `/api/v1/namespaces/${namespace}/pods/${first}`);
  await until("another pod prints", () => log.entries.some(({ pod }) => pod !== first));

  const ofFirst = log.entries.filter(({ pod }) => pod === first);
  assert.deepEqual(ofFirst.map(textOf), ["web web one", "web web two"]);
});

it("finds pods that start later, and says nothing about those that cannot", async () => {
  const namespace = await cluster.namespace("logs");
  await using log = follow({ namespace });

  await target.apply(deploymentOf({ namespace, name: "none", labels, wish: { outcome: "image-pull-backoff" } }), {
    signal: never,
  });
  await start({ namespace, wish: { logs: "late" } });

  await log.has("web web late");
  assert.deepEqual(log.entries.map(textOf), ["web web late"]);
});

it("says that pods cannot be listed", async () => {
  const file = await cluster.serviceAccount({ rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }] });
  using other = await clientOf({ kubeConfig: file });

  const reading = Array.fromAsync(followLogs(other, { namespace: "default", selector, follow: true, signal: never }));

  await assert.rejects(reading, { code: "Forbidden" });
});

it("says which log cannot be read, and goes on", async () => {
  const namespace = await start({ wish: { logs: "secret" } });
  const file = await cluster.serviceAccount({
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] }],
  });
  using other = await clientOf({ kubeConfig: file });
  await using log = follow({ namespace }, other);

  await until("a note comes", () => log.entries.length > 0);

  assert.match(
    log.entries.map(textOf).join("\n"),
    /^web web Log of container 'web' of pod '.*': .*may not get pods\/log/,
  );
});

it("reads a long log whole and in order, and stops when its reader does", async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
  const namespace = await start({ wish: { logs: lines.join("\n") } });
  const entries: LogEntry[] = [];

  for await (const entry of followLogs(client, { namespace, selector, follow: true, signal: never })) {
    entries.push(entry);
    if (entries.length === lines.length) {
      break;
    }
  }

  assert.deepEqual(
    entries.map((entry) => (entry.kind === "line" ? entry.line : entry.note)),
    lines,
  );
});

it("leaves no socket and no timer behind", async () => {
  const namespace = await start({ containers: ["web", "sidecar"], wish: { logs: "hello" } });
  const other = await clientOf(cluster);
  const before = process.getActiveResourcesInfo();
  {
    await using log = follow({ namespace }, other);
    await log.has("web sidecar hello");
  }

  other[Symbol.dispose]();

  await untilNothingIsLeft(before);
});

const labels = { "radapp.io/application": "shop", "radapp.io/resource": "web" };
const selector = "radapp.io/application=shop";

/** Starts a Deployment, in a namespace of its own unless one is named. @returns the namespace */
async function start(workload: Omit<Workload, "namespace"> & { namespace?: string }): Promise<string> {
  const namespace = workload.namespace ?? (await cluster.namespace("logs"));
  const { object } = await target.apply(deploymentOf({ ...workload, namespace, labels }), { signal: never });
  await target.ready(object, { signal: never });
  return namespace;
}

interface FollowedLog extends AsyncDisposable {
  readonly entries: readonly LogEntry[];
  has(text: string): Promise<void>;
}

function follow(options: Pick<LogOptions, "namespace">, from = client): FollowedLog {
  const stop = new AbortController();
  const entries: LogEntry[] = [];
  const reading = (async () => {
    for await (const entry of followLogs(from, { ...options, selector, follow: true, signal: stop.signal })) {
      entries.push(entry);
    }
  })();
  return {
    entries,
    has: async (text) => {
      await until(
        () => `'${text}' is in ${JSON.stringify(entries.map(textOf))}`,
        () => entries.some((entry) => textOf(entry) === text),
      );
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await reading;
    },
  };
}

function textOf(entry: LogEntry): string {
  return `${entry.resource} ${entry.container} ${entry.kind === "line" ? entry.line : entry.note}`;
}

async function podNames(namespace: string): Promise<string[]> {
  const { items } = await cluster.request<{ items: { metadata: { name: string } }[] }>(
    "GET",
    `/api/v1/namespaces/${namespace}/pods`,
  );
  return items.map(({ metadata }) => metadata.name);
}

async function annotate(namespace: string, pod: string | undefined, logs: string): Promise<void> {
  const annotations = { "kube-test-server/logs": logs };
  await cluster.request("PATCH", `/api/v1/namespaces/${namespace}/pods/${pod}`, { metadata: { annotations } });
}
