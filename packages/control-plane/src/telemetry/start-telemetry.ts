import { setTimeout } from "node:timers/promises";
import { type Logger, type Metrics, noMetrics, noTracing, type Redactor, type Tracing } from "@rad/core";
import type { ServerConfig } from "../config/index.ts";
import { LateMetrics } from "./late-metrics.ts";
import type { OtelMetrics } from "./otel-metrics.ts";
import type { OtelTracing } from "./otel-tracing.ts";

export interface TelemetryOptions {
  readonly config: Pick<ServerConfig, "metricsProvider" | "tracerProvider">;
  readonly redactor: Redactor;
  readonly log: Logger;
}

export interface Telemetry extends AsyncDisposable {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Loads what collects the metrics, unless that has happened; measurements until then are kept. */
  load(): Promise<void>;
  /** The metrics in Prometheus's text format; empty when metrics are off. */
  prometheus(): Promise<string>;
  /** Sends what is still waiting, but does not hold up the end of the process for a collector that is gone. */
  shutdown(): Promise<void>;
}

const shutdownTimeoutMs = 5000;

/**
 * Loads only the parts of the OpenTelemetry SDK that the configuration asks for: without an endpoint, no tracing. Where
 * metrics only wait to be scraped, their part is left to `load`, so that the server can listen before.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { metricsProvider, tracerProvider } = options.config;
  const late = new LateMetrics();
  let metrics: Promise<OtelMetrics | undefined> | undefined;
  const tracing = await startTracing(options);

  function loadMetrics(): Promise<OtelMetrics | undefined> {
    metrics ??= startMetrics(options).then((started) => {
      late.use(started?.metrics ?? noMetrics);
      return started;
    });
    return metrics;
  }

  async function load(): Promise<void> {
    await loadMetrics();
  }

  async function shutdown(): Promise<void> {
    const stopped = metrics?.then(async (started) => await started?.shutdown());
    const flushed = Promise.allSettled([stopped, tracing?.shutdown()]);
    await Promise.race([flushed, setTimeout(shutdownTimeoutMs, undefined, { ref: false })]);
  }

  if (tracerProvider.otlp.endpoint !== undefined) {
    await load();
  }
  return {
    metrics: metricsProvider.enabled ? late : noMetrics,
    tracing: tracing?.tracing ?? noTracing,
    load,
    prometheus: async () => (await (await loadMetrics())?.prometheus()) ?? "",
    shutdown,
    [Symbol.asyncDispose]: shutdown,
  };
}

async function startMetrics({ config, redactor, log }: TelemetryOptions): Promise<OtelMetrics | undefined> {
  const { enabled, serviceName } = config.metricsProvider;
  if (!enabled) {
    return undefined;
  }
  const { createOtelMetrics } = await import("./otel-metrics.ts");
  const { endpoint } = config.tracerProvider.otlp;
  const push = endpoint === undefined ? undefined : (await import("./otlp-metrics.ts")).createPushReader(endpoint, log);
  return createOtelMetrics({ serviceName, push, redactor, log });
}

async function startTracing({ config, redactor, log }: TelemetryOptions): Promise<OtelTracing | undefined> {
  const { enabled, serviceName, otlp } = config.tracerProvider;
  if (!enabled || otlp.endpoint === undefined) {
    return undefined;
  }
  const { createOtelTracing } = await import("./otel-tracing.ts");
  return createOtelTracing({ serviceName, endpoint: otlp.endpoint, redactor, log });
}
