import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@rad/client";
import { startTestServer } from "@rad/control-plane/testing";
import type { ConfigOverrides } from "@rad/control-plane";
import { Limiter } from "@rad/core";
import type { KubernetesObject } from "@rad/kubernetes";
import { ownTestCluster } from "@rad/kubernetes/testing";
import type { OwnTestCluster } from "@rad/kubernetes/testing";
import { parse } from "yaml";
import { type Fleet, fleetTemplate } from "../e2e/kubernetes/fleet.ts";
import { bareClient } from "./bare-kubernetes.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";
import { untilIdle } from "./until-idle.ts";

const rounds = 6;
const concurrency = 16;
const count = 200;
const containers = Array.from({ length: count }, (_, index) => `container-${index}`);
const secrets = { password: "secret" };
/** Seldom enough that listing 200 Deployments costs the server little. */
const listEveryMs = 250;

/** A deployment of containers until their pods are ready, against a bare client that applies the same objects and waits. */
export async function measureContainers(): Promise<readonly Measurement[]> {
  await using cluster = await ownTestCluster();
  const seconds: Record<"ours" | "bare", number[]> = { ours: [], bare: [] };
  // The first round warms up the server.
  for (let round = 0; round <= rounds; round += 1) {
    // Controllers may be busy again after the first one, so both take turns at being it.
    for (const name of round % 2 === 0 ? (["bare", "ours"] as const) : (["ours", "bare"] as const)) {
      const fleet = { namespace: await cluster.namespace("bench"), containers, secrets };
      await untilIdle(cluster);
      const took = await (name === "bare"
        ? applyAndWait(cluster, fleet)
        : deploy({ kubeConfig: cluster.kubeConfig }, fleet));
      if (round > 0) {
        seconds[name].push(took);
      }
      await cluster.request("DELETE", `/api/v1/namespaces/${fleet.namespace}-fleet`);
      await untilGone(cluster, `${fleet.namespace}-fleet`);
    }
  }
  const [value, baseline] = [median(seconds.ours), median(seconds.bare)];
  const memory = process.memoryUsage.rss() / (1 << 20);
  const name = `deployment of ${count} containers to Ready`;
  return [
    { name, value, unit: "s", baseline, figure: value / baseline, target: { atMost: 1.5 } },
    { name: `${name}, memory`, value: memory, unit: "MB", figure: memory },
  ];
}

/** @returns seconds */
async function deploy(kubernetes: NonNullable<ConfigOverrides["kubernetes"]>, fleet: Fleet): Promise<number> {
  await using server = await startTestServer({ overrides: { kubernetes } });
  const client = createClient({ endpoint: server.url, token: server.token });
  await client.groups.put("bench");
  const id = "/planes/radius/local/resourceGroups/bench/providers/Microsoft.Resources/deployments/fleet";
  const parameters = { secrets: { value: { ...fleet.secrets } } };
  const properties = { mode: "Incremental", template: fleetTemplate(fleet), parameters };
  const started = performance.now();
  await client.deployments.start(id, { properties });
  await client.deployments.waitForEnd(id); // as `rad deploy` does: the end is told, and nobody asks again and again
  const took = (performance.now() - started) / 1000;
  const { state, error } = await client.deployments.get(id);
  if (state !== "Succeeded") {
    throw new Error(JSON.stringify(error));
  }
  return took;
}

/** @returns seconds */
async function applyAndWait(cluster: OwnTestCluster, fleet: Fleet): Promise<number> {
  const objects = await renderedObjects(fleet);
  const namespace = `${fleet.namespace}-fleet`;
  const limiter = new Limiter(concurrency);
  using client = await bareClient(cluster, concurrency);
  const started = performance.now();
  await client.send("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
  // A pod whose ServiceAccount comes late is created only after a long pause.
  const isWorkload = ({ kind }: KubernetesObject): boolean => kind === "Deployment";
  for (const some of [objects.filter((object) => !isWorkload(object)), objects.filter(isWorkload)]) {
    await Promise.all(some.map((object) => limiter.run(() => client.apply(object))));
  }
  for (;;) {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
    const { items } = await client.send<{ items: { status?: { readyReplicas?: number } }[] }>("GET", path);
    if (items.filter(({ status }) => status?.readyReplicas === 1).length === count) {
      return (performance.now() - started) / 1000;
    }
    await sleep(listEveryMs);
  }
}

/** The same objects that a deployment applies; a folder has them without the values of Secrets. */
async function renderedObjects(fleet: Fleet): Promise<readonly KubernetesObject[]> {
  const manifests = await mkdtemp(path.join(tmpdir(), "rad-bench-manifests-"));
  try {
    await deploy({ manifests }, fleet);
    const folder = path.join(manifests, `${fleet.namespace}-fleet`);
    const files = await readdir(folder);
    return await Promise.all(
      files.map(async (file) => parse(await readFile(path.join(folder, file), "utf8")) as KubernetesObject),
    );
  } finally {
    await rm(manifests, { recursive: true });
  }
}

async function untilGone(cluster: OwnTestCluster, namespace: string): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    await cluster.request("GET", `/api/v1/namespaces/${namespace}`).then(
      () => true,
      () => false,
    );
  while (await isThere()) {
    await sleep(200);
  }
}
