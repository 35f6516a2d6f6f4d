export type { Diagnostic, DiagnosticLevel, Span } from "./diagnostic.ts";
export type { EmitResult, JsonPath, ParametersResult, SourceMap, SourcePlace } from "./emit/index.ts";
export { artifactFolder, Compilation, createMemoryHost, withoutRepeatedWarnings } from "./files/index.ts";
export type {
  ArtifactKind,
  ArtifactReference,
  BicepHost,
  CompilationCounters,
  CompilationLimits,
  CompilationOptions,
  Configuration,
  DirectoryRead,
  FileDiagnostics,
  FileProblem,
  FileRead,
  ManifestTypes,
  MemoryHostOptions,
  NeededArtifact,
  PackageRead,
  ReadDocument,
  RegistryReference,
  TemplateSpecReference,
  YamlRead,
} from "./files/index.ts";
export { formatBicep } from "./format/index.ts";
export type { FormatOptions } from "./format/index.ts";
export { isLinterRule } from "./lint/index.ts";
export { LineMap, parseBicep, parseParams } from "./syntax/index.ts";
export type { Position, SyntaxFile } from "./syntax/index.ts";
