import { PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import type { IMetricReader } from "@opentelemetry/sdk-metrics";
import type { Logger, Redactor } from "@rad/core";
import type { Metrics } from "./metrics.ts";

export interface OtelMetrics {
  readonly metrics: Metrics;
  prometheus(): Promise<string>;
  shutdown(): Promise<void>;
}

export interface OtelMetricsOptions {
  readonly serviceName: string;
  /** Pushes the metrics to a collector as well. */
  readonly push: IMetricReader | undefined;
  readonly redactor: Redactor;
  readonly log: Logger;
}

/** Seconds. What OpenTelemetry advises for HTTP servers, and longer ones for operations, which may run for an hour. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const operationBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

export function createOtelMetrics(options: OtelMetricsOptions): OtelMetrics {
  const { serviceName, push, redactor, log } = options;
  const scraped = new ScrapedReader();
  const readers = push === undefined ? [scraped] : [scraped, push];
  const provider = new MeterProvider({ resource: resourceFromAttributes({ "service.name": serviceName }), readers });
  const serializer = new PrometheusSerializer("", false, undefined, false, true);
  return {
    metrics: createInstruments(provider, redactor, log),
    async prometheus() {
      const { resourceMetrics } = await scraped.collect();
      return serializer.serialize(resourceMetrics);
    },
    shutdown: () => provider.shutdown(),
  };
}

/** Collects when asked to, so that metrics cost nothing between two scrapes. */
class ScrapedReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}

function createInstruments(provider: MeterProvider, redactor: Redactor, log: Logger): Metrics {
  const meter = provider.getMeter("radius");
  const requests = meter.createHistogram("http.server.request.duration", {
    description: "Duration of HTTP requests.",
    unit: "s",
    advice: { explicitBucketBoundaries: requestBuckets },
  });
  const operations = meter.createHistogram("radius.operations.duration", {
    description: "Duration of asynchronous operations, all attempts together.",
    unit: "s",
    advice: { explicitBucketBoundaries: operationBuckets },
  });
  const depth = meter.createObservableGauge("radius.operations.depth", {
    description: "Operations per queue and state.",
  });
  const memory = meter.createObservableGauge("process.memory.usage", {
    description: "Resident memory of the process.",
    unit: "By",
  });
  const heap = meter.createObservableGauge("nodejs.heap.used", {
    description: "JavaScript heap in use.",
    unit: "By",
  });
  meter.addBatchObservableCallback(
    (result) => {
      const usage = process.memoryUsage();
      result.observe(memory, usage.rss);
      result.observe(heap, usage.heapUsed);
    },
    [memory, heap],
  );
  return {
    recordRequest({ method, route, status, durationMs }) {
      requests.record(durationMs / 1000, {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
      });
    },
    recordOperation({ type, kind, outcome, durationMs }) {
      // The type's name is the one label that comes from outside.
      operations.record(durationMs / 1000, { type: redactor.redact(type), kind, outcome });
    },
    observeOperationDepth(read) {
      depth.addCallback(async (result) => {
        try {
          for (const { queue, state, count } of await read()) {
            result.observe(count, { queue, state });
          }
        } catch (error) {
          log.debug("the depth of the queues could not be read", { error });
        }
      });
    },
  };
}
