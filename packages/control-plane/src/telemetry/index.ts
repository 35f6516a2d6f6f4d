export { createLogger } from "./logger.ts";
export { createServerInstruments } from "./server-instruments.ts";
export type { ServerInstruments } from "./server-instruments.ts";
export { startTelemetry } from "./start-telemetry.ts";
export type { Telemetry } from "./start-telemetry.ts";
