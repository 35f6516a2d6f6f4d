import { type Clock, systemClock } from "@rad/core";
import type { ApiClient } from "../api/api-client.ts";
import type { Collection } from "../api/follow-collection.ts";
import { everything, type Observer, ofOwner, Watches } from "../api/watch.ts";
import { currentReplicaSet } from "../current-replica-set.ts";
import type { Deployment, Pod } from "../views.ts";
import { viewOf } from "../views.ts";
import { forwardPort, type PortForward } from "./forward-port.ts";
import { resourceOf } from "./pod-labels.ts";

export interface ForwardPortsOptions {
  readonly namespace: string;
  /** Of Deployments: `radapp.io/application=shop`. */
  readonly selector: string;
  readonly report: (event: ForwardEvent) => void;
  /** Closes all ports and connections. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

export type ForwardEvent =
  | (ForwardSource & { readonly kind: "connected" | "disconnected"; readonly localPort: number })
  | (ForwardSource & { readonly kind: "note"; readonly note: string });

export interface ForwardSource {
  readonly pod: string;
  /** The pod's `radapp.io/resource`, else its name up to the first dash. */
  readonly resource: string;
  readonly remotePort: number;
}

/**
 * Forwards every container port of one pod of each selected Deployment, the newest of the current ReplicaSet. The local port
 * is the container's if that is free. When the pod is replaced, the local port stays and leads to the next one. Resolves when
 * the signal aborts and everything is closed.
 * @throws ApiError when Deployments, ReplicaSets or pods cannot be listed
 */
export async function forwardPorts(client: ApiClient, options: ForwardPortsOptions): Promise<void> {
  const { namespace, selector, signal, clock = systemClock } = options;
  const base = `namespaces/${encodeURIComponent(namespace)}`;
  const collections: Collections = {
    deployments: { path: `/apis/apps/v1/${base}/deployments`, query: { labelSelector: selector } },
    replicaSets: { path: `/apis/apps/v1/${base}/replicasets` },
    pods: { path: `/api/v1/${base}/pods` },
  };
  using observer = new Watches(client, clock).observe();
  await using forwards = new Forwards(client, { ...options, clock });
  try {
    await Promise.all(Object.values(collections).map((collection: Collection) => observer.join(collection, signal)));
    for (;;) {
      await forwards.update(portsToForward(observer, collections));
      await observer.changed(signal);
    }
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
}

interface Collections {
  readonly deployments: Collection;
  readonly replicaSets: Collection;
  readonly pods: Collection;
}

/** What to forward of one Deployment. */
interface Wanted {
  readonly deployment: string;
  /** Absent while there is no pod to lead to: its ports stay open meanwhile. */
  readonly sources: readonly ForwardSource[] | undefined;
}

function portsToForward(observer: Observer, collections: Collections): Wanted[] {
  return observer
    .read(collections.deployments, everything)
    .map((object) => viewOf(object, "Deployment"))
    .toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name))
    .map((deployment) => {
      const pod = podOf(deployment, observer, collections);
      return { deployment: deployment.metadata.name, sources: pod === undefined ? undefined : sourcesOf(pod) };
    });
}

/** The newest pod of the current revision that runs and is not about to go. */
function podOf(deployment: Deployment, observer: Observer, { replicaSets, pods }: Collections): Pod | undefined {
  const owned = observer
    .read(replicaSets, ofOwner(deployment.metadata.uid ?? ""))
    .map((object) => viewOf(object, "ReplicaSet"));
  const uid = currentReplicaSet(deployment, owned)?.metadata.uid;
  const timeOf = ({ metadata }: Pod): string => metadata.creationTimestamp ?? "";
  return uid === undefined
    ? undefined
    : observer
        .read(pods, ofOwner(uid))
        .map((object) => viewOf(object, "Pod"))
        .filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase === "Running")
        .toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))[0];
}

function sourcesOf(pod: Pod): ForwardSource[] {
  const ports = (pod.spec?.containers ?? []).flatMap(({ ports: own = [] }) => own);
  const tcp = ports.filter(({ protocol = "TCP" }) => protocol === "TCP").map(({ containerPort }) => containerPort);
  return [...new Set(tcp)].map((remotePort) => ({ pod: pod.metadata.name, resource: resourceOf(pod), remotePort }));
}

interface OpenPort {
  readonly deployment: string;
  readonly forward: PortForward;
  readonly place: Place;
}

/** Where the port leads. */
interface Place {
  source: ForwardSource;
  connected: boolean;
}

class Forwards implements AsyncDisposable {
  readonly #client: ApiClient;
  readonly #options: ForwardPortsOptions;
  /** By Deployment and port: `web 3000`. */
  readonly #open = new Map<string, OpenPort>();

  constructor(client: ApiClient, options: ForwardPortsOptions) {
    this.#client = client;
    this.#options = options;
  }

  async update(wanted: readonly Wanted[]): Promise<void> {
    const sources = new Map(wanted.map((each) => [each.deployment, each]));
    for (const [key, port] of this.#open) {
      const next = sources.get(port.deployment);
      const source = next?.sources?.find(({ remotePort }) => remotePort === port.place.source.remotePort);
      if (source?.pod !== port.place.source.pod) {
        this.#disconnect(port);
      }
      if (next === undefined || (next.sources !== undefined && source === undefined)) {
        this.#open.delete(key);
        await port.forward[Symbol.asyncDispose]();
      }
    }
    for (const { deployment, sources: each = [] } of wanted) {
      for (const source of each) {
        await this.#connect(deployment, source);
      }
    }
  }

  async #connect(deployment: string, source: ForwardSource): Promise<void> {
    const key = `${deployment} ${source.remotePort}`;
    const port = this.#open.get(key) ?? (await this.#listen(deployment, source));
    this.#open.set(key, port);
    if (!port.place.connected) {
      port.place.source = source;
      port.place.connected = true;
      port.forward.pod = source.pod;
      this.#options.report({ kind: "connected", ...source, localPort: port.forward.localPort });
    }
  }

  #disconnect({ place, forward }: OpenPort): void {
    if (place.connected) {
      place.connected = false;
      this.#options.report({ kind: "disconnected", ...place.source, localPort: forward.localPort });
    }
  }

  async #listen(deployment: string, source: ForwardSource): Promise<OpenPort> {
    const { namespace, signal, clock = systemClock, report } = this.#options;
    const place: Place = { source, connected: false };
    const forward = await forwardPort(this.#client, {
      namespace,
      pod: source.pod,
      localPort: source.remotePort,
      remotePort: source.remotePort,
      orAnother: true,
      note: (note) => report({ kind: "note", ...place.source, note }),
      signal,
      clock,
    });
    return { deployment, forward, place };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(
      open.map(async (port) => {
        await port.forward[Symbol.asyncDispose]();
        this.#disconnect(port);
      }),
    );
  }
}
