export type { BuiltInType } from "./built-in-type.ts";
export { builtInTypes } from "./built-in-types.ts";
export { namespacePolicies } from "./namespace-policies.ts";
export { deploymentApiVersions } from "./microsoft-resources/deployments/schema.ts";
export { kubernetesHandlers } from "./kubernetes-handlers.ts";
export type { PublicEndpoint } from "./rendering/renderer.ts";
export type { RenderingDeps } from "./rendering/rendering-deps.ts";
