import { type Client, ClientError, type Deployment, type DeploymentOperation, deploymentType } from "@rad/client";
import { isTerminal } from "@rad/core";
import { inBatches } from "../in-batches.ts";
import { inTime } from "./in-time.ts";
import { isOutage } from "../progress/outage.ts";
import type { ProgressItem } from "../progress/progress-item.ts";
import { settledItems, toProgressItem } from "../progress/progress-item.ts";
import { TrackedSteps } from "../progress/tracked-steps.ts";
import type { TrackedOperation } from "../progress/tracked-steps.ts";

export interface Followed {
  readonly deployment: Deployment;
  readonly items: readonly ProgressItem[];
  /** What the control plane did for it, but advises against. */
  readonly warnings: readonly string[];
}

const firstPollMs = 100;
const pollGrowth = 1.5;
/** While something happens, and while nothing does. */
const longestPollMs = { busy: 1_000, idle: 5_000 };
/** How long a control plane may be away, for example restarting, before waiting for it is given up. */
const longestOutageMs = 30_000;

/**
 * Waits for a deployment to end, however it ends, and tells about its resources on the way. Looks often at first,
 * whenever something happens, and at once when it has ended.
 * @throws ClientError when the control plane cannot be reached for too long, or no longer knows the deployment
 */
export async function followDeployment(
  client: Client,
  id: string,
  onProgress: (items: readonly ProgressItem[]) => void,
  signal?: AbortSignal,
): Promise<Followed> {
  const tree = new OperationTree(client, id);
  using listening = listenForEnd(client, id);
  let delayMs = firstPollMs;
  let outageMs = 0;
  let last = "";
  for (;;) {
    try {
      // The deployment first: once it has ended, its operations are complete.
      const deployment = await client.deployments.get(id);
      await tree.refresh();
      if (isTerminal(deployment.state)) {
        const settled = settledItems(tree.items(), deployment);
        onProgress(settled);
        return { deployment, items: settled, warnings: tree.warnings() };
      }
      await tree.refreshSteps();
      outageMs = 0;
      const items = tree.items();
      onProgress(items);
      const state = JSON.stringify(items);
      delayMs = Math.min(delayMs * pollGrowth, state === last ? longestPollMs.idle : longestPollMs.busy);
      last = state;
    } catch (error) {
      if (!isOutage(error) || outageMs > longestOutageMs) {
        throw error;
      }
      outageMs += delayMs;
    }
    await listening.pause(delayMs, signal);
  }
}

interface EndListener extends Disposable {
  /** Over at once, the first time, when the deployment has ended and the control plane could tell. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

function listenForEnd(client: Client, id: string): EndListener {
  const over = new AbortController();
  const never = new Promise<void>(() => {});
  let ended = client.deployments.waitForEnd(id, { signal: over.signal }).then(
    (hasEnded) => (hasEnded ? undefined : never),
    () => never, // whoever looks in between finds the same fault, and knows what to do about it
  );
  return {
    pause: async (ms, signal) => {
      const enough = new AbortController();
      const sleeping = client.sleep(ms, AbortSignal.any([enough.signal, ...(signal === undefined ? [] : [signal])]));
      const isHeard = await Promise.race([sleeping.then(() => false), ended.then(() => true)]);
      if (isHeard) {
        ended = never; // somebody may have started it again, so from now on only looking tells
      }
      enough.abort(); // a timer that is left would keep the program from ending
    },
    [Symbol.dispose]: () => over.abort(),
  };
}

const concurrentLists = 8;

/** The operations of a deployment and of those nested in it, as they were last seen. */
class OperationTree {
  readonly #client: Client;
  readonly #root: string;
  /** By deployment and operation, in the order in which they were first seen. */
  readonly #known = new Map<string, Map<string, DeploymentOperation>>();
  /** Nested deployments that cannot change any more. */
  readonly #ended = new Set<string>();
  readonly #steps: TrackedSteps;

  constructor(client: Client, root: string) {
    this.#client = client;
    this.#root = root;
    this.#steps = new TrackedSteps(client);
  }

  async refresh(id = this.#root): Promise<void> {
    const operations = await this.#read(id);
    this.#remember(id, operations);
    const nested = nestedDeployments(operations).filter((child) => !this.#ended.has(child.id));
    await inBatches(nested, concurrentLists, async (child) => {
      await this.refresh(child.id);
      if (isTerminal(child.state)) {
        this.#ended.add(child.id);
      }
    });
  }

  /** Asks what is being done for the resources that are being written. */
  async refreshSteps(): Promise<void> {
    await this.#steps.refresh(this.#operations().flatMap(tracked));
  }

  warnings(): string[] {
    return this.#operations().flatMap(({ target, warnings }) =>
      warnings.map((text) => (target === undefined ? text : `${target.type}/${target.name}: ${text}`)),
    );
  }

  /** Each followed by what is nested in it. */
  items(id = this.#root, depth = 0): ProgressItem[] {
    return [...(this.#known.get(id.toLowerCase())?.values() ?? [])].flatMap((operation) => {
      const item = toProgressItem(operation, id, depth, this.#steps.of(operation.trackingId ?? ""));
      const [child] = nestedDeployments([operation]);
      return [...(item === undefined ? [] : [item]), ...(child === undefined ? [] : this.items(child.id, depth + 1))];
    });
  }

  #operations(): DeploymentOperation[] {
    return [...this.#known.values()].flatMap((operations) => [...operations.values()]);
  }

  #remember(id: string, operations: readonly DeploymentOperation[]): void {
    const known = this.#known.get(id.toLowerCase()) ?? new Map<string, DeploymentOperation>();
    for (const operation of inTime(operations)) {
      known.set(operation.operationId, operation);
    }
    this.#known.set(id.toLowerCase(), known);
  }

  async #read(id: string): Promise<readonly DeploymentOperation[]> {
    try {
      return await this.#client.deployments.operations(id);
    } catch (error) {
      // A nested deployment that is about to begin has no record yet.
      if (id !== this.#root && error instanceof ClientError && error.isNotFound) {
        return [];
      }
      throw error;
    }
  }
}

/** A running operation that another one does the work of. Nested deployments have operations of their own. */
function tracked(operation: DeploymentOperation): TrackedOperation[] {
  const { target, trackingId, state } = operation;
  const isTracked = trackingId !== undefined && !isTerminal(state) && nestedDeployments([operation]).length === 0;
  return target !== undefined && isTracked ? [{ resourceId: target.id, operationId: trackingId }] : [];
}

function nestedDeployments(operations: readonly DeploymentOperation[]): { id: string; state: string }[] {
  return operations.flatMap(({ kind, target, state }) => {
    const isDeployment = kind === "Create" && target?.type.toLowerCase() === deploymentType.toLowerCase();
    return isDeployment ? [{ id: target.id, state }] : [];
  });
}
