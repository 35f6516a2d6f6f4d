export { findInFiles } from "./find-in-files.ts";
export { spansIn, startCollector } from "../telemetry/testing/otlp-collector.ts";
export { handlersModule } from "./handlers-module.ts";
export { assign, configuredTokens, createIdentity } from "./identities.ts";
export { startTestServer } from "./test-server.ts";
export type { TestServer } from "./test-server.ts";
export { moduleResource, radiusResource, radiusTemplate } from "./templates.ts";
