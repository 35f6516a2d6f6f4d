export { buildInfo } from "./build-info.ts";
export { ConfigError, loadServerConfig } from "./config/index.ts";
export type { ConfigOverrides, ServerConfig } from "./config/index.ts";
export type { Answer } from "./api/answer.ts";
export type { PlainRequest, PlainRoute } from "./api/plain-route.ts";
export type {
  ActionContext,
  HandlerContext,
  ResourceAction,
  ResourceHandler,
  Validated,
  ValidateRequest,
} from "@rad/resources";
export { startServer } from "./server.ts";
export type { RunningServer, ServerOptions } from "./server.ts";
