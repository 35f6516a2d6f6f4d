export { authRequestOf } from "./auth-request.ts";
export { createAuthenticator } from "./authenticator.ts";
export type { Authenticator } from "./authenticator.ts";
export { createAuthorizer } from "./authorizer.ts";
export type { Authorizer } from "./authorizer.ts";
export { ensureLocalToken } from "./local-token.ts";
export { readSystemDataHeader } from "./system-data-header.ts";
export { loadTlsOptions } from "./tls-options.ts";
export type { TlsOptions } from "./tls-options.ts";
