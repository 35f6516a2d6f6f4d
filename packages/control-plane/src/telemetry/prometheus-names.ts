import type { ResourceMetrics } from "@opentelemetry/sdk-metrics";

/** Prometheus wants the unit in the name, OpenTelemetry beside it; its serializer leaves that to us. */
const suffixes: Readonly<Record<string, string>> = { s: ".seconds", By: ".bytes" };

export function withUnitsInNames(collected: ResourceMetrics): ResourceMetrics {
  return {
    ...collected,
    scopeMetrics: collected.scopeMetrics.map((scope) => ({
      ...scope,
      metrics: scope.metrics.map((metric) => {
        const { name, unit } = metric.descriptor;
        return { ...metric, descriptor: { ...metric.descriptor, name: `${name}${suffixes[unit] ?? ""}` } };
      }),
    })),
  };
}
