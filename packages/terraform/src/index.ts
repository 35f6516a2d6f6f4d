export { InstallError } from "./install-error.ts";
export type { InstallErrorCode } from "./install-error.ts";
export { secretsIn as urlSecrets } from "./installer/install-request.ts";
export type { InstallerAnswer, InstallerRequest } from "./installer/installer.ts";
export type { ExecutionLease, LeaseRecord } from "./leases/execution-lease.ts";
export { ExecutionLeases } from "./leases/execution-leases.ts";
export type { ExecutionLeasesOptions } from "./leases/execution-leases.ts";
export type { PullSource } from "./leases/pull-binary.ts";
export { machinePlatform } from "./platform.ts";
export type { Platform } from "./platform.ts";
export { productNames } from "./product.ts";
export type { Product } from "./product.ts";
export { versionInUrl } from "./release/release-layout.ts";
export type { ReleaseSource } from "./release/release-layout.ts";
export { isReleaseVersion } from "./release/version.ts";
export { mergeResourceIds } from "./state/merge-resource-ids.ts";
export { identifiedResources, resourceIdsOf } from "./state/resource-ids.ts";
export type { IdentifiedResource, ResourceIdOptions } from "./state/resource-ids.ts";
export { inspectModule } from "./modules/inspect-module.ts";
export { prepareParser } from "./modules/parse-hcl.ts";
export type { InspectOptions } from "./modules/inspect-module.ts";
export { locateModule } from "./modules/locate-module.ts";
export type { LocatedModule } from "./modules/locate-module.ts";
export { ModuleError } from "./modules/module-error.ts";
export type { ModuleErrorCode } from "./modules/module-error.ts";
export { parametersOf } from "./modules/parameters-of.ts";
export type {
  ModuleContents,
  ModuleDiagnostic,
  ModuleOutput,
  ModuleVariable,
  RequiredProvider,
  SourcePosition,
} from "./modules/module-contents.ts";
export { installSteps } from "./volume/binary-volume.ts";
export type {
  BinaryVolume,
  InstalledBinary,
  InstallOptions,
  InstallOrder,
  InstallStep,
} from "./volume/binary-volume.ts";
export { createBinaryVolume } from "./volume/disk-volume.ts";
export type { BinaryVolumeOptions, InstallLimits } from "./volume/disk-volume.ts";
export { RunError } from "./runs/run-error.ts";
export type { LockHolder, RunErrorCode } from "./runs/run-error.ts";
export type { ResourceAction, RunCommand, RunDiagnostic, RunEvent, RunLine } from "./runs/run-event.ts";
export type {
  BegunCreation,
  ModuleDependency,
  ProviderDependency,
  RunDependencies,
  RunOrder,
  RunState,
  TerraformRun,
  UnsettledRun,
} from "./runs/terraform-run.ts";
export { TerraformRuns } from "./runs/terraform-runs.ts";
export type { TerraformRunsOptions } from "./runs/terraform-runs.ts";
export { unsavedCreations } from "./runs/unsaved-creations.ts";
export { HttpStates } from "./state-backend/http-states.ts";
export type { StateSummary } from "./state-backend/http-states.ts";
export { StateBackend } from "./state-backend/state-backend.ts";
export type { StateAnswer, StateBackendDeps, StateRequest } from "./state-backend/state-backend.ts";
export { StateReaders } from "./runs/state-readers.ts";
export { InstallerRecords } from "./status/installer-records.ts";
export { TerraformInstaller } from "./terraform-installer.ts";
export type { BinaryContent, ReleaseArchive, TerraformInstallerOptions } from "./terraform-installer.ts";
export { backendOf, withStateName } from "./configuration/backend.ts";
export type { Backend, BackendOptions, ControlPlaneState, StatePlace } from "./configuration/backend.ts";
export { backendLook, isEmptyBackend } from "./configuration/backend-files.ts";
export type { AwsCredential, AzureCredential, CloudCredentials } from "./configuration/cloud-credentials.ts";
export type { ClusterAccess } from "./configuration/cluster-access.ts";
export { ConfigurationError } from "./configuration/configuration-error.ts";
export {
  type GitCredential,
  type GitToken,
  gitTokensOf,
  storedGitCredential,
} from "./configuration/git-credentials.ts";
export { backendConfiguration, mainConfiguration, moduleConfiguration } from "./configuration/main-configuration.ts";
export type { MainConfiguration, MainConfigurationOptions, RecipeModule } from "./configuration/main-configuration.ts";
export type { ModuleInterface } from "./configuration/module-interface.ts";
export { moduleKeyOf } from "./configuration/module-key.ts";
export type { ProviderSettings } from "./configuration/provider-blocks.ts";
export { runEnvironment } from "./configuration/run-environment.ts";
export type { RunEnvironmentOptions } from "./configuration/run-environment.ts";
export { secretLookup } from "./configuration/secret-lookup.ts";
export type { SecretLookup } from "./configuration/secret-lookup.ts";
export { recipeConfigSecrets, settingsSecrets } from "./configuration/secrets-in-use.ts";
export type { StateOwner } from "./configuration/state-name.ts";
export type { RecipeConfig, TerraformSettings } from "./configuration/terraform-settings.ts";
export { terraformrcOf } from "./configuration/terraformrc.ts";
export type { LocalProviders } from "./configuration/installation-methods.ts";
export { installerNetwork } from "./download/installer-network.ts";
export { readAuthorities } from "./download/read-authorities.ts";
