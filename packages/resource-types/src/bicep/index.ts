export { createManifestPackage } from "./manifest-package.ts";
export { createRegisteredPackage, createRadiusPackage } from "./radius-package.ts";
export { createTypePackage } from "./type-package.ts";
export type { PackageSettings, PackageType, TypePackage } from "./type-package.ts";
export type { FunctionParameter, TypeFunction } from "./resource-definitions.ts";
