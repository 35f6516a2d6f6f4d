import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import type { Logger } from "@rad/core";
import { reportFailures } from "./export-reports.ts";

const intervalMs = 60_000;
const timeoutMs = 5000;

/** Pushes the metrics to the collector at `endpoint` once a minute, and at the end. */
export function createPushReader(endpoint: string, log: Logger): PeriodicExportingMetricReader {
  const url = `${endpoint.replace(/\/$/, "")}/v1/metrics`;
  const exporter = new OTLPMetricExporter({ url, timeoutMillis: timeoutMs });
  reportFailures(exporter, "metrics", log);
  return new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: timeoutMs,
  });
}
