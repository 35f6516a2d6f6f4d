export { intent, operationOutcome, synchronousOutcome, systemCaller, systemRecords } from "./audit.ts";
export { ChangeTrail, isOnRecord, recordRefusal } from "./change-trail.ts";
export { isBusy, operationInProgress } from "./busy-resource.ts";
export { anonymousCaller, callerFromJson, callerToJson, localAdmin } from "./caller.ts";
export type { Caller } from "./caller.ts";
export type { ChangeDeps } from "./change-deps.ts";
export { recipeReasons } from "./change.ts";
export type {
  ChangeKind,
  Effect,
  NestedChange,
  NestedPreview,
  PlannedAttribute,
  PlannedChange,
  RecipePlan,
  RecipePreview,
  RecipeReason,
  ResourcePreview,
} from "./change.ts";
export { methodNotAllowed } from "./method-not-allowed.ts";
export { operationError } from "./operation-error.ts";
export { getResource, shownText, shownWarnings } from "./read-resource.ts";
export type { ReadDeps } from "./read-resource.ts";
export type {
  DeployingWork,
  DeploymentOrder,
  DeploymentResult,
  DeploymentRunner,
  DeploymentRunners,
} from "./deployment-runner.ts";
export type { Requester } from "./requester.ts";
export { referencesPath, referencesTo } from "./references/reference-documents.ts";
export { withReferencedBy } from "./references/referenced.ts";
export { ownReferences } from "./references/referring.ts";
export { serverReader } from "./resource-access.ts";
export type { Permissions, ResourceAccess, ResourceReader } from "./resource-access.ts";
export type {
  ActionContext,
  Done,
  GuardDeleteRequest,
  HandlerContext,
  HandlerResult,
  Pause,
  PreviewContext,
  Referring,
  ResourceAction,
  ResourceHandler,
  SealedValues,
  StoredResource,
  TakeAlongRequest,
  TakenAlong,
  Validated,
  ValidateRequest,
} from "./resource-handler.ts";
export type { ResourceRequest } from "./resource-request.ts";
export { lookingAgain } from "./write/write-change.ts";
export { ResourceExecutor } from "./run/resource-executor.ts";
export { runAction } from "./run/run-action.ts";
export { notFound, requireParent, requireScopes, resourceNotFound, scopeGuards } from "./scopes.ts";
export { builtInType, requireSystemApiVersion, systemApiVersion } from "./types/built-in-type.ts";
export { apiVersionType, locationType, providerId, providerType, resourceTypeType } from "./types/provider-names.ts";
export { listedVersions, readProvider, servedSchemas, summarize } from "./types/provider-view.ts";
export { hasWork, retryAfterSeconds } from "./types/retry-after.ts";
export { seededProviderId, seededProviderType } from "./types/seeded-provider.ts";
export type { ProviderView, TypeView } from "./types/provider-view.ts";
export type { ServedType, ServedVersion, TypeDirectory } from "./types/served-type.ts";
export { TypeModules } from "./types/type-module.ts";
export type { TypeModule } from "./types/type-module.ts";
export {
  applicationPolicy,
  asynchronousPolicy,
  basePolicy,
  defaultQueue,
  deploymentPolicy,
  groupPolicy,
  planePolicy,
  providerPolicy,
  registrationPolicy,
  userDefinedPolicy,
} from "./types/type-policy.ts";
export type { TypePolicy } from "./types/type-policy.ts";
export { TypeRegistry } from "./types/type-registry.ts";
export { deleteResource } from "./write/delete-resource.ts";
export { newOperation } from "./write/new-operation.ts";
export { checkPreconditions } from "./write/preconditions.ts";
export type { Preconditions } from "./write/preconditions.ts";
export { previewResource } from "./write/preview-resource.ts";
export { putResource } from "./write/put-resource.ts";
export type { PutOptions, PutResult } from "./write/put-resource.ts";
export { conflictWith, mostNamed, refuseWhileNotEmpty } from "./write/refuse-while-not-empty.ts";
export { mergeSystemData, systemDataFor } from "./write/system-data.ts";
export type { SystemData } from "./write/system-data.ts";
