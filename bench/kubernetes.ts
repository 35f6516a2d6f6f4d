import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Limiter } from "@rad/core";
import { openObjectTarget } from "@rad/kubernetes";
import type { KubernetesObject } from "@rad/kubernetes";
import { ownTestCluster } from "@rad/kubernetes/testing";
import type { OwnTestCluster } from "@rad/kubernetes/testing";
import { findKubectl } from "@rad/kubernetes/testing/kubectl";
import { bareClient } from "./bare-kubernetes.ts";
import { median } from "./report.ts";
import { untilIdle } from "./until-idle.ts";
import type { Measurement } from "./report.ts";

const rounds = 6;
const concurrency = 16;
/** Each is five objects, as a container renders them. */
const containers = 100;

/** Brings objects into a namespace that exists and is empty. */
type Applier = (objects: readonly KubernetesObject[], namespace: string) => Promise<void>;

/** Objects applied by server-side apply, against a bare client that sends the same requests, and against kubectl. */
export async function measureKubernetes(): Promise<readonly Measurement[]> {
  await using cluster = await ownTestCluster();
  const folder = await mkdtemp(path.join(tmpdir(), "rad-bench-kubernetes-"));
  try {
    const appliers = { ours, bare: bareApplier(cluster), kubectl: await kubectl(cluster, folder) };
    const seconds: Record<keyof typeof appliers, number[]> = { ours: [], bare: [], kubectl: [] };
    // The first round warms up the server.
    for (let round = 0; round <= rounds; round += 1) {
      // Controllers may be busy again after the first one, so ours and the bare client take turns at being it.
      const order = round % 2 === 0 ? (["bare", "ours", "kubectl"] as const) : (["ours", "bare", "kubectl"] as const);
      for (const name of order) {
        const namespace = await cluster.namespace("bench");
        const objects = renderedObjects(namespace);
        await untilIdle(cluster);
        const started = performance.now();
        await appliers[name](objects, namespace);
        if (round > 0) {
          seconds[name].push((performance.now() - started) / 1000);
        }
      }
    }
    const memory = process.memoryUsage.rss() / (1 << 20);
    const [value, bare, others] = [median(seconds.ours), median(seconds.bare), median(seconds.kubectl)];
    const name = `apply of ${containers * 5} objects`;
    return [
      { name: `${name}, bare client`, value, unit: "s", baseline: bare, figure: value / bare, target: { atMost: 1.2 } },
      { name: `${name}, kubectl`, value, unit: "s", baseline: others, figure: value / others, target: { atMost: 0.6 } },
      { name: `${name}, memory`, value: memory, unit: "MB", figure: memory },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }

  async function ours(objects: readonly KubernetesObject[]): Promise<void> {
    await using target = await openObjectTarget({ kind: "kubeConfig", file: cluster.kubeConfig });
    const { signal } = new AbortController();
    await atOnce(objects, async (object) => await target.apply(object, { signal }));
  }
}

function bareApplier(cluster: OwnTestCluster): Applier {
  return async (objects) => {
    using client = await bareClient(cluster, concurrency);
    await atOnce(objects, async (object) => await client.apply(object));
  };
}

async function kubectl({ kubeConfig }: OwnTestCluster, folder: string): Promise<Applier> {
  const program = await findKubectl();
  const file = path.join(folder, "list.json");
  return async (objects) => {
    await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
    const args = ["apply", "--server-side", "--validate=false", "--field-manager=radius-rp", "-f", file];
    const env = { ...process.env, KUBECONFIG: kubeConfig };
    await promisify(execFile)(program, args, { env, maxBuffer: 10 << 20 });
  };
}

async function atOnce(objects: readonly KubernetesObject[], apply: (object: KubernetesObject) => Promise<unknown>) {
  const limiter = new Limiter(concurrency);
  await Promise.all(objects.map(async (object) => await limiter.run(async () => await apply(object))));
}

/**
 * What containers with a connection give, but without pods: starting them is no part of an apply. A Deployment that is
 * paused keeps its controller from doing more than to look at it.
 */
function renderedObjects(namespace: string): KubernetesObject[] {
  return Array.from({ length: containers }, (_, index): KubernetesObject[] => {
    const name = `container-${index}`;
    const selector = { "radapp.io/application": "bench", "radapp.io/resource": name };
    const labels = {
      ...selector,
      "radapp.io/resource-type": "applications.core-containers",
      "app.kubernetes.io/name": name,
      "app.kubernetes.io/part-of": "bench",
      "app.kubernetes.io/managed-by": "radius-rp",
    };
    const metadata = { name, namespace, labels };
    const env = Array.from({ length: 10 }, (_value, key) => ({
      name: `CONNECTION_${key}`,
      valueFrom: { secretKeyRef: { name, key: `CONNECTION_${key}` } },
    }));
    const values = Array.from({ length: 10 }, (_value, key) => [
      `CONNECTION_${key}`,
      randomBytes(16).toString("base64"),
    ]);
    const container = { name, image: "example.com/web:1", ports: [{ containerPort: 3000, protocol: "TCP" }], env };
    const template = { metadata: { labels }, spec: { serviceAccountName: name, containers: [container] } };
    const access = { apiVersion: "rbac.authorization.k8s.io/v1", metadata };
    return [
      { apiVersion: "v1", kind: "ServiceAccount", metadata },
      { ...access, kind: "Role", rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "list"] }] },
      {
        ...access,
        kind: "RoleBinding",
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
        subjects: [{ kind: "ServiceAccount", name }],
      },
      { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data: Object.fromEntries(values) },
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata,
        spec: { paused: true, replicas: 0, selector: { matchLabels: selector }, template },
      },
    ];
  }).flat();
}
