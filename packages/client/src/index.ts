export { createClient, radiusPlane, systemApiVersion } from "./create-client.ts";
export type {
  ApiRequest,
  CallOptions,
  Client,
  ClientOptions,
  DeleteOptions,
  DeleteOutcome,
  DeploymentCalls,
  RawRequest,
  RecipeCalls,
  ResourceCallOptions,
  ResourceCalls,
  WriteOptions,
} from "./client.ts";
export { ClientError, ClientErrorCode, isOutage, longestOutageMs } from "./client-error.ts";
export type { ClientErrorOptions } from "./client-error.ts";
export { deploymentsApiVersion, deploymentType } from "./deployment-type.ts";
export type {
  Deployment,
  DeploymentOperation,
  DeploymentOutput,
  OperationTarget,
  StartedDeployment,
  PlannedAttribute,
  PlannedChange,
  PropertyChange,
  WhatIf,
  WhatIfChange,
  WhatIfDiagnostic,
  WhatIfPlan,
  WhatIfProgress,
  WhatIfRecipe,
} from "./deployments.ts";
export type {
  EndedInstallerJob,
  InstallerAnswer,
  InstallerStatus,
  InstallRequest,
  Preflight,
  PreflightCheck,
  RunningInstallerJob,
  TerraformProduct,
} from "./installer.ts";
export type { MirrorList, MirroredBinary, MirroredModule, MirroredProvider } from "./mirror-list.ts";
export type { RecipeLog, RecipeOrphan } from "./recipe-runs.ts";
export type { OperationEvent } from "./events/follow-operation.ts";
export { readText } from "./http-request.ts";
export type { HttpAnswer } from "./http-request.ts";
export { askReadiness } from "./ask-readiness.ts";
export type { Readiness } from "./ask-readiness.ts";
export type { OperationStep } from "./operation-steps.ts";
export { registerManifest } from "./register-manifest.ts";
export type { ManifestToRegister, RegisterOptions, RegistrationStep, TypeToRegister } from "./register-manifest.ts";
export type { Method, WireResponse } from "./transport.ts";
export type {
  OperationState,
  OperationStatus,
  ProviderSummary,
  ResourceBody,
  ResourceTypeSummary,
} from "./wire-types.ts";
