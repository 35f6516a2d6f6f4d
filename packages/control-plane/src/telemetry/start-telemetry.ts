import { setTimeout } from "node:timers/promises";
import { type Logger, type Metrics, noMetrics, noTracing, type Redactor, type Tracing } from "@rad/core";
import type { ServerConfig } from "../config/index.ts";
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
  /** The metrics in Prometheus's text format; empty when metrics are off. */
  prometheus(): Promise<string>;
  /** Sends what is still waiting, but does not hold up the end of the process for a collector that is gone. */
  shutdown(): Promise<void>;
}

const shutdownTimeoutMs = 5000;

/** Loads only the parts of the OpenTelemetry SDK that the configuration asks for: without an endpoint, no tracing. */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const metrics = await startMetrics(options);
  const tracing = await startTracing(options);

  async function shutdown(): Promise<void> {
    const flushed = Promise.allSettled([metrics?.shutdown(), tracing?.shutdown()]);
    await Promise.race([flushed, setTimeout(shutdownTimeoutMs, undefined, { ref: false })]);
  }

  return {
    metrics: metrics?.metrics ?? noMetrics,
    tracing: tracing?.tracing ?? noTracing,
    prometheus: async () => (await metrics?.prometheus()) ?? "",
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
