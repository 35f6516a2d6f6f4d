export { ConfigError } from "./config-error.ts";
export { isLoopbackHost } from "./checks.ts";
export { describeConfigKeys } from "./describe-config-keys.ts";
export type { ConfigKey } from "./describe-config-keys.ts";
export { loadServerConfig } from "./load-server-config.ts";
export type { ConfigOverrides, LoadOptions } from "./load-server-config.ts";
export type { AuthenticationConfig, AuthorizationConfig, OidcIssuerConfig, ServerConfig } from "./server-config.ts";
