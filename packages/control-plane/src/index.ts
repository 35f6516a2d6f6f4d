export { buildInfo } from "./build-info.ts";
export { ConfigError, loadServerConfig } from "./config/index.ts";
export type { ConfigOverrides, ServerConfig } from "./config/index.ts";
export { defaultModules } from "./default-modules.ts";
export { startServer } from "./server.ts";
export type { RunningServer, ServerOptions } from "./server.ts";
