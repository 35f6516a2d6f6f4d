import type { JsonObject } from "@rad/core";
import type { KubernetesObject } from "../kubernetes-object.ts";

export interface Workload {
  readonly name?: string;
  readonly namespace: string;
  readonly replicas?: number;
  /** Names of its containers. */
  readonly containers?: readonly string[];
  readonly initContainers?: readonly string[];
  readonly ports?: readonly number[];
  readonly labels?: Readonly<Record<string, string>>;
  /** What the stand-in for a kubelet is to do with its pods: `outcome`, `after`, `logs`, `answer`. */
  readonly wish?: Readonly<Record<string, string>>;
}

/** A Deployment that the test cluster can run. */
export function deploymentOf(workload: Workload): KubernetesObject {
  const { namespace, name = "web", replicas = 1, labels = {} } = workload;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels: { ...labels } },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: podTemplate(workload) },
  };
}

export function podTemplate({
  name = "web",
  containers = ["web"],
  initContainers = [],
  ports = [],
  labels = {},
  wish = {},
}: Omit<Workload, "namespace">): JsonObject {
  const container = (own: string): JsonObject => ({ name: own, image: "example.com/web:1" });
  return {
    metadata: {
      labels: { app: name, ...labels },
      annotations: Object.fromEntries(Object.entries(wish).map(([key, text]) => [`kube-test-server/${key}`, text])),
    },
    spec: {
      containers: containers.map((own, index) => ({
        ...container(own),
        ...(index === 0 ? { ports: ports.map((containerPort) => ({ containerPort })) } : {}),
      })),
      initContainers: initContainers.map(container),
    },
  };
}
