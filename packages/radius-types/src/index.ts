export type { BuiltInType } from "./built-in-type.ts";
export { builtInTypes } from "./built-in-types.ts";
export { namespacePolicies } from "./namespace-policies.ts";
export { deploymentApiVersions } from "./microsoft-resources/deployments/schema.ts";
export { kubernetesHandlers, registeredTypeHandler } from "./kubernetes-handlers.ts";
export type { HandlerDeps } from "./kubernetes-handlers.ts";
export type { PublicEndpoint } from "./rendering/renderer.ts";
export type { RenderingDeps } from "./rendering/rendering-deps.ts";
export { awsCredentials, azureCredentials } from "./cloud-credentials/credential-types.ts";
export { loadAwsCredential, loadAzureCredential } from "./cloud-credentials/load-credential.ts";
export type { AwsCredential, AzureCredential } from "./cloud-credentials/load-credential.ts";
export { recipePackIds } from "./recipes/recipe-pack-ids.ts";
export { ignoredRecipeConfig } from "./environment-settings/recipe-config-warnings.ts";
export { loadSecret } from "./secrets/load-secret.ts";
export type { LoadedSecret, SecretRequest } from "./secrets/load-secret.ts";
export { allRecipes } from "./recipes/find-recipe.ts";
export type { TypeRecipe } from "./recipes/find-recipe.ts";
export type { RecipeDefinition } from "./recipes/recipe-definition.ts";
export type {
  RecipeEngine,
  RecipeOutput,
  RecipeParametersRequest,
  RecipePreviewUse,
  RecipeRemoval,
  RecipeSource,
  RecipeUse,
  ScopeResource,
} from "./recipes/recipe-engine.ts";
export { executionError, RecipeError, setupError } from "./recipes/recipe-error.ts";
export type { RecipeStatus } from "./recipes/recipe-error.ts";
