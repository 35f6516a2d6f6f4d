import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import type { IMetricReader } from "@opentelemetry/sdk-metrics";
import { getHeapSpaceStatistics } from "node:v8";
import type { Meter } from "@opentelemetry/api";
import type { Counter, Histogram, Labels, Logger, Metrics, Redactor } from "@rad/core";
import { withUnitsInNames } from "./prometheus-names.ts";
import { serviceResource } from "./service-resource.ts";

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

export function createOtelMetrics(options: OtelMetricsOptions): OtelMetrics {
  const { serviceName, push, redactor, log } = options;
  const scraped = new ScrapedReader();
  const readers = push === undefined ? [scraped] : [scraped, push];
  const provider = new MeterProvider({ resource: serviceResource(serviceName), readers });
  return {
    metrics: createInstruments(provider, redactor, log),
    async prometheus() {
      // Comes with an HTTP server of its own, so it is loaded when somebody scrapes.
      const { PrometheusSerializer } = await import("@opentelemetry/exporter-prometheus");
      const { resourceMetrics } = await scraped.collect();
      return new PrometheusSerializer("", false, undefined, false, true).serialize(withUnitsInNames(resourceMetrics));
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
  observeProcess(meter);
  const histograms = new Map<string, Histogram>();
  const counters = new Map<string, Counter>();
  return {
    counter(name, { description, unit }) {
      return once(counters, name, () => {
        const counter = meter.createCounter(name, { description, ...(unit === undefined ? {} : { unit }) });
        return { add: (amount, labels) => counter.add(amount, redacted(labels, redactor)) };
      });
    },
    histogram(name, { description, unit, buckets }) {
      return once(histograms, name, () => {
        const histogram = meter.createHistogram(name, {
          description,
          ...(unit === undefined ? {} : { unit }),
          advice: { explicitBucketBoundaries: [...buckets] },
        });
        return { record: (value, labels) => histogram.record(value, redacted(labels, redactor)) };
      });
    },
    gauge(name, { description, unit }, read) {
      const gauge = meter.createObservableGauge(name, { description, ...(unit === undefined ? {} : { unit }) });
      gauge.addCallback(async (result) => {
        try {
          for (const { value, labels } of await read()) {
            result.observe(value, redacted(labels, redactor));
          }
        } catch (error) {
          log.debug("a gauge could not be read", { gauge: name, error });
        }
      });
    },
  };
}

function once<T>(known: Map<string, T>, name: string, make: () => T): T {
  const instrument = known.get(name) ?? make();
  known.set(name, instrument);
  return instrument;
}

/** Some labels come from outside, such as the names of types. Frozen ones are the server's own. */
function redacted(labels: Labels = {}, redactor: Redactor): Labels {
  return Object.isFrozen(labels) ? labels : redactor.redactJson(labels);
}

function observeProcess(meter: Meter): void {
  const memory = meter.createObservableUpDownCounter("process.memory.usage", {
    description: "Resident memory of the process.",
    unit: "By",
  });
  const heap = meter.createObservableUpDownCounter("v8js.memory.heap.used", {
    description: "JavaScript heap in use, by space.",
    unit: "By",
  });
  meter.addBatchObservableCallback(
    (result) => {
      result.observe(memory, process.memoryUsage.rss());
      for (const { space_name, space_used_size } of getHeapSpaceStatistics()) {
        result.observe(heap, space_used_size, { "v8js.heap.space.name": space_name });
      }
    },
    [memory, heap],
  );
}
