import type { Plan } from "@rad/templates";

/** More than run at once; what is left over is planned again. */
const most = 16;

/**
 * Plans of deployments that were accepted here and have not begun. Planning again gives the same plan, so whoever does
 * not find it here has lost nothing but time.
 */
export class AcceptedPlans {
  readonly #plans = new Map<string, Plan>();

  keep(operationId: string, plan: Plan): void {
    const [oldest] = this.#plans.keys();
    if (oldest !== undefined && this.#plans.size >= most) {
      this.#plans.delete(oldest);
    }
    this.#plans.set(operationId, plan);
  }

  take(operationId: string): Plan | undefined {
    const plan = this.#plans.get(operationId);
    this.#plans.delete(operationId);
    return plan;
  }
}
