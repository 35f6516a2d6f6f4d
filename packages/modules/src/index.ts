export { jsonAnswer, largeJsonAnswer } from "./answer.ts";
export type { Answer } from "./answer.ts";
export { endToEndHeaders } from "./end-to-end-headers.ts";
export type { Module, ModuleFactory, ModuleParts, WorkerSpec } from "./module.ts";
export type { Plane, PlaneCode, PlaneModule, PlaneResourceType } from "./plane.ts";
export type { BytesRequest, NeededPermission, RequestBytes, Route, RouteRequest } from "./route.ts";
