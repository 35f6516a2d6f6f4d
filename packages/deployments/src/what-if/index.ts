export { previewDeployment } from "./preview-deployment.ts";
export { validateDeployment } from "./validate-deployment.ts";
