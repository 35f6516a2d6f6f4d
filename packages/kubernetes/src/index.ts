export type { KubernetesObject, ObjectMetadata, ObjectName } from "./kubernetes-object.ts";
export { nameOf } from "./kubernetes-object.ts";
export type { Applied, CallOptions, ObjectTarget, Preview, ReadyOptions } from "./object-target.ts";
export { idOfObject, objectOfId } from "./object-id.ts";
