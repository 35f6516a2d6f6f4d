export { bind, isDeclared } from "./binder.ts";
export type { Bindings } from "./binder.ts";
export { findCycles } from "./cycles.ts";
export { bodyObject, declare } from "./declare.ts";
export { nameDiagnostics } from "./diagnostics.ts";
export type * from "./environment.ts";
export type * from "./model.ts";
export type * from "./symbols.ts";
export type * from "./template-source.ts";
