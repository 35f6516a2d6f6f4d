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
