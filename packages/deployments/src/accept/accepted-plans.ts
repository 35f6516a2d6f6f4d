import type { JsonObject } from "@rad/core";
import type { Budget, Plan } from "@rad/templates";
import type { RunInput } from "../deployment-document.ts";

/** More than run at once; what is left over is planned again. */
const most = 16;

interface Accepted {
  readonly plan: Plan;
  /** What planning has left of it is for running the deployment. */
  readonly budget: Budget;
  readonly run: RunInput;
  readonly body: JsonObject;
  /** There was no deployment of that name, so nothing is left of one. */
  readonly isNew: boolean;
}

/**
 * Plans of deployments that were accepted here and have not begun, with what is sealed in the store. Reading and
 * planning again gives the same, so whoever does not find it here has lost nothing but time.
 */
export class AcceptedPlans {
  readonly #plans = new Map<string, Accepted>();

  keep(operationId: string, accepted: Accepted): void {
    const [oldest] = this.#plans.keys();
    if (oldest !== undefined && this.#plans.size >= most) {
      this.#plans.delete(oldest);
    }
    this.#plans.set(operationId, accepted);
  }

  take(operationId: string): Accepted | undefined {
    const accepted = this.#plans.get(operationId);
    this.#plans.delete(operationId);
    return accepted;
  }
}
