import type { Metrics } from "@rad/core";
import type { ExecutionLeases } from "../leases/execution-leases.ts";
import { type Job, type JobEnd, usableBinary } from "../status/installer-record.ts";
import type { InstallerRecords } from "../status/installer-records.ts";
import { runningJob } from "../status/status-document.ts";

/** Seconds: from a switch of links to a large archive over a slow line. */
const buckets = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** What is measured of the installer. Gauges come from the store, so every process tells the same. */
export class InstallerMetrics {
  readonly #jobs;
  readonly #duration;

  constructor(metrics: Metrics, records: InstallerRecords, leases: ExecutionLeases) {
    this.#jobs = metrics.counter("radius.terraform.installer.jobs", {
      description: "Installs and uninstalls that have ended, by result.",
    });
    this.#duration = metrics.histogram("radius.terraform.installer.duration", {
      description: "Duration of installs and uninstalls, from their turn to their end.",
      unit: "s",
      buckets,
    });
    const depth = { description: "Installs and uninstalls that have not ended, by state." };
    metrics.gauge("radius.terraform.installer.queue_depth", depth, async () => {
      const { record } = await records.read();
      const running = runningJob(record) === undefined ? 0 : 1;
      return [
        { value: record.jobs.length - running, labels: { state: "waiting" } },
        { value: running, labels: { state: "running" } },
      ];
    });
    const active = { description: "1 for the product and version that is active." };
    metrics.gauge("radius.terraform.active_version", active, async () => {
      const binary = usableBinary((await records.read()).record);
      return binary === undefined ? [] : [{ value: 1, labels: { product: binary.product, version: binary.version } }];
    });
    metrics.gauge("radius.terraform.executions", { description: "Executions that use Terraform now." }, async () => [
      { value: (await leases.live()).length },
    ]);
  }

  recordEnd({ operation, product, startedAt }: Job, { state }: JobEnd, now: Date): void {
    const labels = { operation, product, outcome: state };
    this.#jobs.add(1, labels);
    if (startedAt !== undefined) {
      this.#duration.record(Math.max(0, now.getTime() - Date.parse(startedAt)) / 1_000, labels);
    }
  }
}
