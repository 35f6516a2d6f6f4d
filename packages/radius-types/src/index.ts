export type { BuiltInType } from "./built-in-type.ts";
export { builtInTypes } from "./built-in-types.ts";
export { namespacePolicies } from "./namespace-policies.ts";
export { deploymentApiVersions } from "./microsoft-resources/deployments/schema.ts";
export { applicationHandler } from "./applications-core/applications/application-handler.ts";
export { environmentHandler } from "./applications-core/environments/environment-handler.ts";
export { secretStoreHandler } from "./applications-core/secret-stores/secret-store-handler.ts";
export { radiusEnvironmentHandler } from "./radius-core/environments/radius-environment-handler.ts";
