export { buildInfo } from "./build-info.ts";
export { checkConfigFiles } from "./check-config.ts";
export { ConfigError, loadServerConfig } from "./config/index.ts";
export type { ConfigOverrides, ServerConfig } from "./config/index.ts";
export { copyDatabase } from "./copy-database.ts";
export { defaultModules } from "./default-modules.ts";
export { renewToken } from "./renew-token.ts";
export { startServer } from "./server.ts";
export type { RunningServer, ServerOptions } from "./server.ts";
