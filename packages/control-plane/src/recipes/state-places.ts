import { join } from "node:path";
import { readFile } from "node:fs/promises";
import type { KubernetesObject, ObjectTarget } from "@rad/kubernetes";
import type { StatePlaces } from "@rad/recipes";
import type { Backend, ClusterAccess, HttpStates, StatePlace } from "@rad/terraform";
import type { ServerConfig } from "../config/index.ts";
import { statePath } from "../terraform/state-routes.ts";

/** The namespace of states in a cluster. */
const stateNamespace = "radius-system";

export interface StatePlacesOptions {
  readonly config: ServerConfig;
  /** Where this server listens. */
  readonly apiUrl: string;
  readonly states: HttpStates;
  readonly target: () => Promise<ObjectTarget>;
}

/** How Terraform reaches the cluster of the server; `undefined` without one. */
export function clusterAccess({ kubernetes }: ServerConfig, env: NodeJS.ProcessEnv): ClusterAccess | undefined {
  if (kubernetes.kubeConfig !== undefined) {
    return { kind: "kubeConfig", file: kubernetes.kubeConfig, context: kubernetes.context };
  }
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "443" } = env;
  return kubernetes.inCluster ? { kind: "inCluster", host, port } : undefined;
}

/** States of recipes whose environments name no backend: in the cluster of the server, or else in its store. */
export function statePlaces({ config, apiUrl, states, target }: StatePlacesOptions): StatePlaces {
  const access = clusterAccess(config, process.env);
  const address = `${apiUrl.replace(/\/+$/, "")}${statePath}`;
  const isOwn = ({ type, config: given }: Backend): boolean =>
    type === "http" && typeof given["address"] === "string" && given["address"].startsWith(`${address}/`);
  return {
    place: async (run, use = "run"): Promise<StatePlace> => {
      if (access === undefined) {
        return { kind: "controlPlane", address, ...run, ca: await authorityOf(config) };
      }
      if (use === "run") {
        await ensureNamespace(await target());
      }
      return { kind: "cluster", access, namespace: stateNamespace };
    },
    exists: async (backend, name) => {
      if (backend.type === "kubernetes") {
        return (await read(await target(), backend, `tfstate-default-${name}`)) !== undefined;
      }
      return isOwn(backend) && (await states.has(name));
    },
    remove: async (backend) => {
      if (isOwn(backend)) {
        await states.remove(backend.stateName);
      } else if (backend.type === "kubernetes" && usesServersCluster(backend, access)) {
        await removeSecrets(await target(), backend);
      }
    },
  };
}

/** The certificate of a server with TLS may be signed by an authority that the system does not know. */
async function authorityOf({ server }: ServerConfig): Promise<string | undefined> {
  const { tlsCertificateDirectory: directory } = server;
  return directory === undefined ? undefined : await readFile(join(directory, "tls.crt"), "utf8");
}

function usesServersCluster({ config }: Backend, access: ClusterAccess | undefined): boolean {
  switch (access?.kind) {
    case "kubeConfig":
      return config["config_path"] === access.file;
    case "inCluster":
      return config["in_cluster_config"] === true;
    default:
      return false;
  }
}

async function ensureNamespace(target: ObjectTarget): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  const found = await target.read({ group: "", kind: "Namespace", name: stateNamespace }, { signal });
  if (found === undefined) {
    await target.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: stateNamespace } }, { signal });
  }
}

function read(target: ObjectTarget, backend: Backend, name: string): Promise<KubernetesObject | undefined> {
  return target.read(secretName(backend, name), { signal: AbortSignal.timeout(60_000) });
}

function secretName({ config }: Backend, name: string) {
  const { namespace } = config;
  return { group: "", kind: "Secret", namespace: typeof namespace === "string" ? namespace : "default", name };
}

/** Terraform leaves the Secret with its further parts, and the Lease of its lock. */
async function removeSecrets(target: ObjectTarget, backend: Backend): Promise<void> {
  const first = `tfstate-default-${backend.stateName}`;
  const names = [first];
  while ((await read(target, backend, `${first}-part-${names.length}`)) !== undefined) {
    names.push(`${first}-part-${names.length}`);
  }
  const signal = AbortSignal.timeout(60_000);
  for (const name of names.toReversed()) {
    await target.delete(secretName(backend, name), { signal });
  }
  const lease = { ...secretName(backend, `lock-${first}`), group: "coordination.k8s.io", kind: "Lease" };
  await target.delete(lease, { signal });
}
