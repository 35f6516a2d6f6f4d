import { type Client, ClientError, isOutage, type OperationStep } from "@rad/client";
import { inBatches } from "../in-batches.ts";

/** A resource that is being written, and the operation that does it. */
export interface TrackedOperation {
  readonly resourceId: string;
  readonly operationId: string;
}

/** How many operations are asked about at once, and in one round. */
const limits = { concurrent: 5, perRound: 10 };

/** The steps of operations as they were last seen. */
export class TrackedSteps {
  readonly #client: Client;
  readonly #known = new Map<string, readonly OperationStep[]>();
  /** The round in which each operation was asked about last. */
  readonly #asked = new Map<string, number>();
  /** Operations that the control plane does not show, to us or at all. */
  readonly #hidden = new Set<string>();
  #round = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  of(operationId: string): readonly OperationStep[] {
    return this.#known.get(operationId) ?? [];
  }

  /**
   * Asks about operations that are running. Of many, only those that were asked about longest ago: a round costs the
   * same however large the deployment. @throws ClientError when the control plane cannot be reached
   */
  async refresh(running: readonly TrackedOperation[], signal?: AbortSignal): Promise<void> {
    this.#round += 1;
    const lastAsked = ({ operationId }: TrackedOperation) => this.#asked.get(operationId) ?? 0;
    const next = running
      .filter(({ operationId }) => !this.#hidden.has(operationId))
      .sort((a, b) => lastAsked(a) - lastAsked(b))
      .slice(0, limits.perRound);
    await inBatches(next, limits.concurrent, (operation) => this.#ask(operation, signal));
  }

  async #ask({ resourceId, operationId }: TrackedOperation, signal: AbortSignal | undefined): Promise<void> {
    this.#asked.set(operationId, this.#round);
    try {
      const { steps } = await this.#client.operations.ofResource(resourceId, operationId, { signal });
      this.#known.set(operationId, steps);
    } catch (error) {
      if (!(error instanceof ClientError) || isOutage(error)) {
        throw error;
      }
      this.#hidden.add(operationId); // a deployment can be followed without them
    }
  }
}
