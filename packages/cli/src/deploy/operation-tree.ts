import { type Client, ClientError, type DeploymentOperation, deploymentType } from "@rad/client";
import { isTerminal } from "@rad/core";
import { inBatches } from "../in-batches.ts";
import type { ProgressItem } from "../progress/progress-item.ts";
import { toProgressItem } from "../progress/progress-item.ts";
import { TrackedSteps } from "../progress/tracked-steps.ts";
import type { TrackedOperation } from "../progress/tracked-steps.ts";
import { inTime } from "./in-time.ts";

const concurrentLists = 8;

/** The operations of a deployment and of those nested in it, as they were last seen. */
export class OperationTree {
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

  /** Lists all that can have changed. */
  async refresh(id = this.#root): Promise<void> {
    const operations = await this.#read(id);
    this.remember(id, operations);
    const nested = nestedDeployments(operations).filter((child) => !this.#ended.has(child.id));
    await inBatches(nested, concurrentLists, async (child) => {
      await this.refresh(child.id);
      if (isTerminal(child.state)) {
        this.#ended.add(child.id);
      }
    });
  }

  /** What was heard of a deployment, the root or one in it. */
  remember(id: string, operations: readonly DeploymentOperation[]): void {
    const known = this.#known.get(id.toLowerCase()) ?? new Map<string, DeploymentOperation>();
    for (const operation of inTime(operations)) {
      known.set(operation.operationId, operation);
    }
    this.#known.set(id.toLowerCase(), known);
  }

  /** Asks what is being done for the resources that are being written. */
  async refreshSteps(signal?: AbortSignal): Promise<void> {
    await this.#steps.refresh(this.#operations().flatMap(tracked), signal);
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
