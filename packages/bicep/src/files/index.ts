export { Compilation } from "./compilation.ts";
export type { CompilationOptions, FileDiagnostics, NeededArtifact } from "./compilation.ts";
export type { Configuration } from "./configuration.ts";
export { createMemoryHost } from "./host.ts";
export type {
  ArtifactKind,
  BicepHost,
  DirectoryRead,
  FileProblem,
  FileRead,
  ManifestTypes,
  MemoryHostOptions,
  PackageRead,
  YamlRead,
} from "./host.ts";
export { artifactFolder } from "./references.ts";
export type { ArtifactReference, RegistryReference, TemplateSpecReference } from "./references.ts";
export { withoutRepeatedWarnings } from "./repeated-warnings.ts";
export type { CompilationCounters, CompilationLimits } from "./source-store.ts";
export type { ReadDocument } from "./type-files.ts";
