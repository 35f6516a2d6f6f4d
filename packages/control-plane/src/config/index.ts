export { ConfigError } from "./config-error.ts";
export { loadServerConfig } from "./load-server-config.ts";
export type { ConfigOverrides } from "./load-server-config.ts";
export type { AuthenticationConfig, AuthorizationConfig, OidcIssuerConfig, ServerConfig } from "./server-config.ts";
