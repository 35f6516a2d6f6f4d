export { checkLimits } from "./check-limits.ts";
export { forEachMeaningfulChild } from "./child-nodes.ts";
export { propertiesOf, propertyName } from "./properties.ts";
export { createRunTimeValues } from "./run-time-values.ts";
export { createScopes } from "./scopes.ts";
export type { DeploymentScope, Scopes } from "./scopes.ts";
