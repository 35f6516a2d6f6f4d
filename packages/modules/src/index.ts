export { jsonAnswer } from "./answer.ts";
export type { Answer } from "./answer.ts";
export type { Module, ModuleFactory, ModuleParts, PlaneSpec, WorkerSpec } from "./module.ts";
export type { PlainRequest, PlainRoute } from "./plain-route.ts";
