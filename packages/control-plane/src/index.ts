export { buildInfo } from "./build-info.ts";
export { ConfigError, loadServerConfig } from "./config/index.ts";
export type { ConfigOverrides, ServerConfig } from "./config/index.ts";
export type { Answer } from "./http/answer.ts";
export type { PlainRequest, PlainRoute } from "./http/plain-route.ts";
export type {
  ActionContext,
  HandlerContext,
  ResourceAction,
  ResourceHandler,
  Validated,
  ValidateRequest,
} from "./resources/resource-handler.ts";
export { startServer } from "./server.ts";
export type { RunningServer, ServerOptions } from "./server.ts";
