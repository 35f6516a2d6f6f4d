export { acceptDeployment } from "./accept/accept-deployment.ts";
export type { AcceptedDeployment, AcceptRequest } from "./accept/accept-deployment.ts";
export { deploymentType } from "./deployment-document.ts";
export { AcceptedPlans } from "./accept/accepted-plans.ts";
export { deploymentsOfHandlers } from "./deployments-of-handlers.ts";
export type { DeploymentHost } from "./deployment-host.ts";
export type { DeploymentInput, InputOrigin } from "./deployment-input.ts";
export type {
  ActionOrder,
  ChangeOrder,
  ContentOrder,
  Deleted,
  DeleteOrder,
  DeploymentTarget,
  ExtensionConfig,
  FinishOrder,
  ExpectedBodies,
  PreviewOrder,
  PutOrder,
  ReadOrder,
  ResourceOrder,
  Sent,
  SentEffect,
  TypeOrder,
} from "./deployment-target.ts";
export type { ExternalPut, ExternalSent, ExternalTarget } from "./external-target.ts";
export { recordAfterwards } from "./record-afterwards.ts";
export { readDeploymentInput } from "./request/read-deployment-input.ts";
export type { DeploymentRequest } from "./request/read-deployment-input.ts";
export { readWhatIfSettings } from "./request/what-if-settings.ts";
export type { WhatIfSettings } from "./request/what-if-settings.ts";
export { exportTemplate } from "./history/export-template.ts";
export { pruneHistory } from "./history/prune-history.ts";
export { removeDeployment } from "./history/remove-deployment.ts";
export { operationType, recordsOfRun, timestampOf } from "./records/operation-records.ts";
export { DeploymentExecutor } from "./run/deployment-executor.ts";
