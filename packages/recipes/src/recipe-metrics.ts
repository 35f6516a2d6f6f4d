import { ApiError, type Clock, type Metrics } from "@rad/core";

/** Seconds: from a module that only computes to a database cluster. */
const buckets = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** How long recipes take, by operation, kind and result: `success`, `failed`, or the code of the error. */
export class RecipeMetrics {
  readonly #clock: Clock;
  readonly #duration;

  constructor(metrics: Metrics, clock: Clock) {
    this.#clock = clock;
    this.#duration = metrics.histogram("recipe.operation.duration", {
      description: "Duration of recipes, by operation, kind of template and result.",
      unit: "s",
      buckets,
    });
  }

  async measure<T>(operation: "execute" | "delete", kind: string, work: () => Promise<T>): Promise<T> {
    const startedAt = this.#clock.monotonicMs();
    let result = "success";
    try {
      return await work();
    } catch (error) {
      result = error instanceof ApiError ? error.code : "failed";
      throw error;
    } finally {
      const seconds = (this.#clock.monotonicMs() - startedAt) / 1_000;
      this.#duration.record(seconds, { operation, kind, result });
    }
  }
}
