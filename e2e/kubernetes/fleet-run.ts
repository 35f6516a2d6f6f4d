import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, ClientError, createClient, type Deployment } from "@rad/client";
import { isTerminal } from "@rad/core";
import type { TestCluster } from "@rad/kubernetes/testing";
import { clusterObjects } from "./cluster-objects.ts";
import { type Fleet, fleetObjects, fleetTemplate, fleetVersion } from "./fleet.ts";

export interface FleetServer {
  readonly url: string;
  readonly token: string;
}

/** Longer than any of them takes, however often it is disturbed. */
const limitMs = 300_000;

/** Deploys and deletes a fleet while the server, the cluster or what lies between them is disturbed. */
export class FleetRun {
  readonly #cluster: TestCluster;
  readonly #server: () => FleetServer;
  readonly #fleet: Fleet;
  readonly #group: string;

  /** @param server as it is at the moment: it may be another one after each disturbance */
  constructor(cluster: TestCluster, fleet: Fleet, server: () => FleetServer) {
    this.#cluster = cluster;
    this.#fleet = fleet;
    this.#server = server;
    this.#group = `fleet-${fleet.namespace}`;
  }

  async deploy(): Promise<void> {
    const { secrets } = this.#fleet;
    await this.#client.groups.put(this.#group);
    const template = fleetTemplate(this.#fleet);
    const properties = { mode: "Incremental", template, parameters: { secrets: { value: { ...secrets } } } };
    await this.#client.deployments.start(this.#id("Microsoft.Resources/deployments/fleet"), { properties });
  }

  /** Everything is there, once, and nothing else. */
  async assertDeployed(): Promise<void> {
    const { state, error } = await until("the deployment has ended", () => this.#deployment());
    assert.equal(state, "Succeeded", JSON.stringify(error));
    const namespace = `${this.#fleet.namespace}-fleet`;
    assert.deepEqual(await this.#objects(), fleetObjects(this.#fleet));
    const { items } = await until(
      "the cluster answers",
      async () =>
        await this.#cluster.request<{ items: { metadata: { annotations: Record<string, string> } }[] }>(
          "GET",
          `/apis/apps/v1/namespaces/${namespace}/deployments`,
        ),
    );
    const revisions = items.map(({ metadata }) => metadata.annotations["deployment.kubernetes.io/revision"]);
    assert.deepEqual(new Set(revisions), new Set(["1"]), "a Deployment was rolled out twice");
  }

  /** Deletes the containers, the store and the application. Resolves when nothing of them is left. */
  async delete(): Promise<void> {
    const { containers } = this.#fleet;
    await Promise.all(containers.map((name) => this.#remove(`Applications.Core/containers/${name}`)));
    await this.#remove("Applications.Core/secretStores/keys");
    await this.#remove("Applications.Core/applications/fleet");
    assert.deepEqual(await this.#objects(), []);
  }

  async #objects(): Promise<readonly string[]> {
    return await until("the cluster answers", () => clusterObjects(this.#cluster, `${this.#fleet.namespace}-fleet`));
  }

  /** Asks until the resource is gone: the server may die at any moment. */
  async #remove(name: string): Promise<void> {
    await until(`'${name}' is gone`, async () => {
      await this.#client.resources.delete(this.#id(name), fleetVersion);
      return true;
    });
  }

  async #deployment(): Promise<Deployment | undefined> {
    const deployment = await this.#client.deployments.get(this.#id("Microsoft.Resources/deployments/fleet"));
    return isTerminal(deployment.state) ? deployment : undefined;
  }

  get #client(): Client {
    const { url, token } = this.#server();
    return createClient({ endpoint: url, token });
  }

  #id(name: string): string {
    return `/planes/radius/local/resourceGroups/${this.#group}/providers/${name}`;
  }
}

/** Tries until it gives something; a server or a cluster that is away or busy does not count. */
async function until<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + limitMs;
  let last: unknown;
  while (performance.now() < end) {
    try {
      const result = await attempt();
      if (result !== undefined) {
        return result;
      }
    } catch (error) {
      if (!(error instanceof ClientError || isAway(error))) {
        throw error;
      }
      last = error;
    }
    await sleep(200);
  }
  throw new Error(`waited in vain until ${what}`, { cause: last });
}

/** The cluster restarts, or is about to. */
function isAway(error: unknown): boolean {
  const { code, status = 0 } = error as { readonly code?: string; readonly status?: number };
  return code === "ECONNRESET" || code === "ECONNREFUSED" || status >= 500;
}
