export { previewDeployment } from "./preview-deployment.ts";
export type { RecipeProgress } from "./plan-recipes.ts";
export { validateDeployment } from "./validate-deployment.ts";
