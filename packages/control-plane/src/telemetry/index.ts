export { createLogger } from "./logger.ts";
export type { LogDestination, LoggerOptions, LogLevel } from "./logger.ts";
export { noMetrics } from "./metrics.ts";
export type { Metrics, OperationMeasurement, QueueDepth, RequestMeasurement } from "./metrics.ts";
export { startTelemetry } from "./start-telemetry.ts";
export type { Telemetry, TelemetryOptions } from "./start-telemetry.ts";
export { noTracing } from "./tracing.ts";
export type { SpanAttributes, SpanOptions, SpanScope, Tracing } from "./tracing.ts";
