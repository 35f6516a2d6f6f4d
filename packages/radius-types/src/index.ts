export type { BuiltInType } from "./built-in-type.ts";
export { builtInTypes } from "./built-in-types.ts";
export { deploymentApiVersions } from "./microsoft-resources/deployments/schema.ts";
