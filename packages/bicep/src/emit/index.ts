export { emitParametersFile } from "./parameters-file.ts";
export type { ParametersResult } from "./parameters-file.ts";
export type { JsonPath, SourceMap, SourcePlace } from "./source-map.ts";
export { emitTemplate } from "./template.ts";
export type { EmitOptions, EmitResult } from "./template.ts";
