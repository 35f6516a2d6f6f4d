/**
 * Subjects and groups are prefixed with where they come from, so that no issuer or proxy can name a user that another
 * source has given permissions to. The one subject without a prefix is `localAdmin`.
 */
export const tokenPrefix = "token:";
export const proxyPrefix = "proxy:";

/** Role names in lower case, with their permissions. */
export const builtInRoles: ReadonlyMap<string, readonly string[]> = new Map([
  ["radius-admin", ["*"]],
  // A graph shows nothing that its caller may not read.
  ["radius-reader", ["*/read", "*/getGraph/action"]],
]);
