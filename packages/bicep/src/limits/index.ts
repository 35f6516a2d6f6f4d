export { checkLimits } from "./check-limits.ts";
export { createScopes } from "./scopes.ts";
export type { DeploymentScope, Scopes } from "./scopes.ts";
