export { emitTemplate } from "./template.ts";
export type { EmitOptions, EmitResult } from "./template.ts";
export type { JsonPath, SourceMap, SourcePlace } from "./source-map.ts";
