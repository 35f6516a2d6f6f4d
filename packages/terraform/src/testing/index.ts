export { startCountingCloud } from "./counting-cloud.ts";
export type {
  ActiveCloudFault,
  CloudAction,
  CloudFault,
  CloudObject,
  CloudRequest,
  CountingCloud,
  CountingCloudOptions,
} from "./counting-cloud.ts";
export { startGitServer } from "./git-server.ts";
export type { ActiveGitFault, GitAccess, GitFault, GitRepository, GitRequest, GitServer } from "./git-server.ts";
export type { FileServerOptions, MirrorRequest } from "./file-server.ts";
export type { ActiveFault, FaultOptions, MirrorFault } from "./mirror-fault.ts";
export { startModuleRegistry } from "./module-registry.ts";
export type { ModuleFiles, ModuleRegistry, PublishedModule } from "./module-registry.ts";
export { startOriginRegistry } from "./origin-registry.ts";
export type { OriginRegistry } from "./origin-registry.ts";
export { startProviderMirror } from "./provider-mirror.ts";
export type { ProviderMirror, ProviderPackage, PublishedProvider } from "./provider-mirror.ts";
export { startProviderRegistry } from "./provider-registry.ts";
export type { ProviderRegistry } from "./provider-registry.ts";
export { startReleaseMirror } from "./release-mirror.ts";
export type { PublishedRelease, ReleaseMirror } from "./release-mirror.ts";
