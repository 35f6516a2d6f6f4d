export type { DeploymentHost } from "./deployment-host.ts";
export type { DeploymentInput, InputOrigin } from "./deployment-input.ts";
export type {
  ActionOrder,
  ChangeKind,
  DeploymentTarget,
  Effect,
  PreviewOrder,
  PutOrder,
  Requester,
  ResourceOrder,
  ResourcePreview,
  Sent,
} from "./deployment-target.ts";
export { readDeploymentInput } from "./request/read-deployment-input.ts";
export type { DeploymentRequest } from "./request/read-deployment-input.ts";
export { readWhatIfSettings } from "./request/what-if-settings.ts";
export type { WhatIfSettings } from "./request/what-if-settings.ts";
