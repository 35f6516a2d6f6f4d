import type { Histogram, Metrics } from "@rad/core";
import type { RunCommand } from "./run-event.ts";

/** Seconds: from a `show` to an apply of a whole cluster. */
const buckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** Durations of Terraform commands. */
export class RunMetrics {
  readonly #commands: Histogram;
  readonly #init: Histogram;

  constructor(metrics: Metrics) {
    const options = { unit: "s", buckets };
    this.#commands = metrics.histogram("radius.terraform.command.duration", {
      description: "Duration of Terraform commands, by command and outcome.",
      ...options,
    });
    this.#init = metrics.histogram("recipe.tf.init.duration", {
      description: "Duration of terraform init.",
      ...options,
    });
  }

  record(command: RunCommand, seconds: number, outcome: "succeeded" | "failed"): void {
    this.#commands.record(seconds, { command, outcome });
    if (command === "init") {
      this.#init.record(seconds, { outcome });
    }
  }
}
