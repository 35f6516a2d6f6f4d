export { createLogger } from "./logger.ts";
export type { Metrics } from "./metrics.ts";
export { startTelemetry } from "./start-telemetry.ts";
export type { Telemetry } from "./start-telemetry.ts";
export type { Tracing } from "./tracing.ts";
