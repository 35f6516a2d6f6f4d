export { ArtifactError } from "./artifact-error.ts";
export type { ArtifactErrorCode, ArtifactErrorOptions } from "./artifact-error.ts";
